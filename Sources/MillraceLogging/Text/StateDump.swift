// SPDX-License-Identifier: Apache-2.0

/// A value as lines, one per leaf. Equal values have equal lines: dictionaries and sets are sorted by the texts of
/// their members, and objects are printed once, without their address.
///
/// The number of lines and the depth have limits. A type that describes itself is printed by its description only, as
/// one line. Strings are quoted and every text is escaped, so no payload can make a separate line.
///
/// Each member and each key is printed in one line, by a dump of its own. Three rules make such a dump end, whatever it
/// contains:
///
/// - The dump of a member knows the objects that contain the member (`above`), so a cycle through members ends.
/// - It begins at the depth of its set, so the limit of the depth also holds for members within members.
/// - It has at most 64 parts, which the members within it share. So the cost of a member does not grow with the number
///   of paths to an object. If the limit does not suffice for all members, none is printed, because their order in the
///   storage would decide which ones are.
struct StateDump {
    private(set) var lines: [LogText] = []
    private let indent: Int
    private let mostLines: Int
    /// Whether this dump is printed in one line: its lines, and those of its members, are the parts of that line.
    private let isLine: Bool
    /// The number of lines, or parts, that may still be put.
    private var partsLeft: Int
    /// Whether parts are missing because there were too many.
    private var isCut = false
    /// The objects that already have lines. Each object is printed once, because objects may refer to each other, or be
    /// referred to twice. They are retained, so that no other object can get the address of one of them.
    private var told: [ObjectIdentifier: AnyObject]
    /// The objects that contain the value that is being added. Members know only these objects, and not all of `told`,
    /// so that the text of a member does not depend on what was printed before.
    private var above: [ObjectIdentifier: AnyObject]

    init<Value>(_ value: Value, indent: Int = 2, mostLines: Int = .max) {
        self.init(indent: min(max(0, indent), 64), mostLines: mostLines, isLine: false, above: [:])
        add(value, label: LogText(""), depth: 0)
        if isCut { lines.append(LogText("… more than \(mostLines) lines")) }
    }

    /// Creates the dump of a value that is printed in one line.
    fileprivate init(line value: Any, depth: Int = 0, above: [ObjectIdentifier: AnyObject] = [:], most: Int = 64) {
        self.init(indent: 0, mostLines: most, isLine: true, above: above)
        add(value, label: LogText(""), depth: depth)
    }

    private init(indent: Int, mostLines: Int, isLine: Bool, above: [ObjectIdentifier: AnyObject]) {
        (self.indent, self.mostLines, self.isLine) = (indent, mostLines, isLine)
        (partsLeft, told, self.above) = (mostLines, above, above)
    }

    /// The parts as one line.
    fileprivate var line: LogText {
        guard lines.count > 1 || isCut else { return lines.first ?? LogText("…") }
        let parts = lines.dropFirst() + (isCut ? [LogText("… more than \(mostLines) parts")] : [])
        var text = lines[0] + "("
        for (index, part) in parts.enumerated() { text = text + (index == 0 ? part : ", " + part) }
        return text + ")"
    }

    /// The number of parts of a line, with those of its members.
    fileprivate var partCount: Int { mostLines - partsLeft }

    private mutating func add(_ value: Any, label: LogText, depth: Int) {
        guard !isCut else { return }
        let value = unwrapped(value)
        if let leaf = leafText(value) { return put(label + leaf, depth) }
        guard depth < mostDepth else { return put(label + "…", depth) }
        let mirror = Mirror(reflecting: value)
        guard let object = objectIn(value) else { return addParts(value, mirror, label, depth) }
        let id = ObjectIdentifier(object)
        if told.updateValue(object, forKey: id) != nil {
            return put(label + escapedForLog("\(type(of: value)) … as above"), depth)
        }
        above[id] = object
        addParts(value, mirror, label, depth)
        above[id] = nil
    }

    private mutating func addParts(_ value: Any, _ mirror: Mirror, _ label: LogText, _ depth: Int) {
        switch mirror.displayStyle {
        case .collection:
            put(label + "\(mirror.children.count) elements", depth)
            for (index, child) in mirror.children.enumerated() {
                guard !isCut else { return }
                add(child.value, label: LogText("[\(index)]: "), depth: depth + 1)
            }
        case .dictionary, .set:
            addUnordered(mirror, label, depth)
        default:
            put(label + headText(value, mirror), depth)
            var parent = mirror.superclassMirror
            while let mirror = parent {
                addChildren(mirror, depth)
                parent = mirror.superclassMirror
            }
            addChildren(mirror, depth)
        }
    }

    private mutating func addUnordered(_ mirror: Mirror, _ label: LogText, _ depth: Int) {
        let (count, isSet) = (mirror.children.count, mirror.displayStyle == .set)
        let head = label + "\(count) \(isSet ? "members" : "pairs")"
        // All members must be made into text before the first can be printed, and there may be millions.
        guard count <= partsLeft else { return put(head + " …", depth) }
        put(head, depth)
        let place = lines.count - 1
        if isSet, let members = texts(mirror.children.map(\.value), depth + 1) {
            for member in members.sorted(by: isBefore) { put(member, depth + 1) }
        } else if !isSet, let pairs = sortedPairs(mirror, depth + 1) {
            for (key, value) in pairs { add(value, label: key + ": ", depth: depth + 1) }
        } else {
            lines[place] = head + " …"
        }
    }

    private mutating func addChildren(_ mirror: Mirror, _ depth: Int) {
        if mirror.displayStyle == .enum, let payload = mirror.children.first?.value {
            let parts = Mirror(reflecting: payload)
            // The name of the case is already in the head.
            return parts.displayStyle == .tuple
                ? addChildren(parts, depth) : add(payload, label: LogText(""), depth: depth + 1)
        }
        for (index, child) in mirror.children.enumerated() {
            guard !isCut else { return }
            add(child.value, label: LogText(labelText(child.label, index) + ": "), depth: depth + 1)
        }
    }

    private mutating func put(_ text: LogText, _ depth: Int) {
        guard partsLeft > 0 else {
            isCut = true
            return
        }
        partsLeft -= 1
        lines.append(String(repeating: " ", count: depth * indent) + text)
    }

    /// Returns the texts of the members of an unordered collection. Nil if this dump is printed in one line, and the
    /// texts have too many parts.
    private mutating func texts(_ values: [Any], _ depth: Int) -> [LogText]? {
        var texts: [LogText] = []
        texts.reserveCapacity(values.count)
        for value in values {
            if let leaf = leafText(unwrapped(value)) {
                texts.append(leaf)
                continue
            }
            guard isLine else {
                texts.append(StateDump(line: value, depth: depth, above: above).line)
                continue
            }
            let member = StateDump(line: value, depth: depth, above: above, most: partsLeft)
            guard !member.isCut else {
                isCut = true
                return nil
            }
            partsLeft = member.partsLeft
            texts.append(member.line)
        }
        return texts
    }

    /// Returns the pairs of a dictionary, sorted by the texts of their keys. Keys with the same text are sorted by the
    /// texts of their values, so that the order does not depend on the storage. Nil if this dump is printed in one
    /// line, and the texts have too many parts.
    private mutating func sortedPairs(_ mirror: Mirror, _ depth: Int) -> [(key: LogText, value: Any)]? {
        let children = mirror.children.lazy.map { Array(Mirror(reflecting: $0.value).children) }
        let parts: [(key: Any, value: Any)] = children.filter { $0.count == 2 }.map { ($0[0].value, $0[1].value) }
        guard let keys = texts(parts.map(\.key), depth) else { return nil }
        var pairs: [(key: LogText, value: Any)] = zip(keys, parts).map { ($0, $1.value) }
        pairs.sort { $0.key.shown < $1.key.shown }
        var begin = 0
        while begin < pairs.count {
            let end = pairs[begin...].firstIndex { $0.key.shown != pairs[begin].key.shown } ?? pairs.count
            if end - begin > 1 {
                guard let values = texts(pairs[begin..<end].map(\.value), depth) else { return nil }
                let byValue = zip(pairs[begin..<end], values).map { (pair: $0, text: $0.key + $1) }
                pairs.replaceSubrange(begin..<end, with: byValue.sorted { isBefore($0.text, $1.text) }.map(\.pair))
            }
            begin = end
        }
        return pairs
    }
}

/// The number of levels of a value that are visited. A linked list may be deeper than the stack allows.
let mostDepth = 64

/// Returns whether a text comes before another. Between equal texts the hidden hash decides; this order is only stable
/// within one run of the program.
func isBefore(_ left: LogText, _ right: LogText) -> Bool {
    left.shown == right.shown ? left.hidden < right.hidden : left.shown < right.shown
}

/// Returns a value as text in one line, of at most 64 parts. Subtracts one from `places` for each of them.
func oneLine(_ value: Any, places: inout Int) -> LogText {
    if let leaf = leafText(unwrapped(value)) {
        places -= 1
        return leaf
    }
    let dump = StateDump(line: value)
    places -= dump.partCount
    return dump.line
}
