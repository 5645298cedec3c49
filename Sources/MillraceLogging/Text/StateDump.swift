// SPDX-License-Identifier: Apache-2.0

/// A value as lines, one per leaf. Equal values have equal lines: dictionaries and sets are sorted by the texts of
/// their members, and objects are printed once, without their address.
///
/// The number of lines and the depth have limits. A type that describes itself is printed by its description only, as
/// one line. Strings are quoted and every text is escaped, so no payload can make a line of its own.
struct StateDump {
    private(set) var lines: [LogText] = []
    private let indent: Int
    private let mostLines: Int
    /// The objects that already have lines. Each object is printed once, because objects may refer to each other, or be
    /// referred to twice. They are retained, so that no other object gets the address of one of them.
    private var told: [ObjectIdentifier: AnyObject] = [:]

    init<Value>(_ value: Value, indent: Int = 2, mostLines: Int = .max) {
        self.indent = min(max(0, indent), 64)
        self.mostLines = mostLines
        add(value, label: LogText(""), depth: 0)
        if lines.count > mostLines {
            lines.removeSubrange(mostLines...)
            lines.append(LogText("… more than \(mostLines) lines"))
        }
    }

    private mutating func add(_ value: Any, label: LogText, depth: Int) {
        guard lines.count <= mostLines else { return }
        let value = unwrapped(value)
        if let leaf = leafText(value) { return put(label + leaf, depth) }
        guard depth < mostDepth else { return put(label + "…", depth) }
        let mirror = Mirror(reflecting: value)
        if let object = objectIn(value), told.updateValue(object, forKey: ObjectIdentifier(object)) != nil {
            return put(label + escapedForLog("\(type(of: value)) … as above"), depth)
        }
        switch mirror.displayStyle {
        case .collection:
            put(label + "\(mirror.children.count) elements", depth)
            for (index, child) in mirror.children.enumerated() {
                guard lines.count <= mostLines else { return }
                add(child.value, label: LogText("[\(index)]: "), depth: depth + 1)
            }
        case .dictionary, .set:
            let (count, isSet) = (mirror.children.count, mirror.displayStyle == .set)
            let head = label + "\(count) \(isSet ? "members" : "pairs")"
            // All members must be made into text before the first can be printed, and there may be millions.
            guard count <= mostLines - lines.count else { return put(head + " …", depth) }
            put(head, depth)
            guard isSet else {
                for (key, value) in sortedPairs(mirror) { add(value, label: key + ": ", depth: depth + 1) }
                return
            }
            for member in mirror.children.map({ oneLine($0.value) }).sorted(by: isBefore) { put(member, depth + 1) }
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

    private mutating func addChildren(_ mirror: Mirror, _ depth: Int) {
        if mirror.displayStyle == .enum, let payload = mirror.children.first?.value {
            let parts = Mirror(reflecting: payload)
            // The name of the case is already in the head.
            return parts.displayStyle == .tuple
                ? addChildren(parts, depth) : add(payload, label: LogText(""), depth: depth + 1)
        }
        for (index, child) in mirror.children.enumerated() {
            add(child.value, label: LogText(labelText(child.label, index) + ": "), depth: depth + 1)
        }
    }

    private mutating func put(_ text: LogText, _ depth: Int) {
        lines.append(String(repeating: " ", count: depth * indent) + text)
    }
}

/// The number of levels of a value that are visited. A linked list may be deeper than the stack allows.
let mostDepth = 64

/// Returns the pairs of a dictionary, sorted by the texts of their keys. Keys with the same text are sorted by the
/// texts of their values, so that the order does not depend on the storage.
func sortedPairs(_ mirror: Mirror) -> [(key: LogText, value: Any)] {
    var pairs: [(key: LogText, value: Any)] = mirror.children.compactMap { child in
        let pair = Array(Mirror(reflecting: child.value).children)
        return pair.count == 2 ? (oneLine(pair[0].value), pair[1].value) : nil
    }
    pairs.sort { $0.key.shown < $1.key.shown }
    var begin = 0
    while begin < pairs.count {
        let end = pairs[begin...].firstIndex { $0.key.shown != pairs[begin].key.shown } ?? pairs.count
        if end - begin > 1 {
            let byValue = pairs[begin..<end].map { (pair: $0, text: $0.key + oneLine($0.value)) }
            pairs.replaceSubrange(begin..<end, with: byValue.sorted { isBefore($0.text, $1.text) }.map(\.pair))
        }
        begin = end
    }
    return pairs
}

/// Returns whether a text comes before another. Between equal texts the hidden hash decides; this order is only stable
/// within one run of the program.
func isBefore(_ left: LogText, _ right: LogText) -> Bool {
    left.shown == right.shown ? left.hidden < right.hidden : left.shown < right.shown
}

/// Returns a value as text in one line.
func oneLine(_ value: Any) -> LogText {
    if let leaf = leafText(unwrapped(value)) { return leaf }
    let lines = StateDump(value, indent: 0, mostLines: 64).lines
    guard lines.count > 1 else { return lines[0] }
    var text = lines[0] + "("
    for (index, line) in lines.dropFirst().enumerated() { text = text + (index == 0 ? line : ", " + line) }
    return text + ")"
}
