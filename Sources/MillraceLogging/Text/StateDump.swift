// SPDX-License-Identifier: Apache-2.0

/// A value as lines, one a leaf, that are the same whenever the value is: dictionaries and sets in the order of their
/// texts, objects without their address. Not more lines than a limit.
///
/// Not deeper than a limit, either. Strings are quoted and every text is escaped, so no payload can make a line.
struct StateDump {
    private(set) var lines: [LogText] = []
    private let indent: Int
    private let mostLines: Int
    /// The objects around the place where the dump is, as they may hold each other.
    private var around: [ObjectIdentifier] = []

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
        let object = mirror.displayStyle == .class ? ObjectIdentifier(value as AnyObject) : nil
        if let object {
            if around.contains(object) { return put(label + escapedForLog("\(type(of: value)) …"), depth) }
            around.append(object)
        }
        defer { if object != nil { around.removeLast() } }
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
            // All of it must be made into text before the first can be told, and there may be millions.
            guard count <= mostLines - lines.count else { return put(head + " …", depth) }
            put(head, depth)
            guard isSet else {
                for (key, value) in sortedPairs(mirror) { add(value, label: key + ": ", depth: depth + 1) }
                return
            }
            for member in mirror.children.map({ oneLine($0.value) }).sorted(by: { $0.shown < $1.shown }) {
                put(member, depth + 1)
            }
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
            // The head has the name of the case already.
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

/// How deep a value is looked into: lists of links may be as deep as a stack is not.
let mostDepth = 64

/// The pairs of a dictionary by the texts of their keys.
func sortedPairs(_ mirror: Mirror) -> [(key: LogText, value: Any)] {
    mirror.children.compactMap { child in
        let pair = Array(Mirror(reflecting: child.value).children)
        return pair.count == 2 ? (oneLine(pair[0].value), pair[1].value) : nil
    }
    .sorted { $0.0.shown < $1.0.shown }
}

/// A value in one line.
func oneLine(_ value: Any) -> LogText {
    if let leaf = leafText(unwrapped(value)) { return leaf }
    let lines = StateDump(value, indent: 0, mostLines: 64).lines
    guard lines.count > 1 else { return lines[0] }
    var text = lines[0] + "("
    for (index, line) in lines.dropFirst().enumerated() { text = text + (index == 0 ? line : ", " + line) }
    return text + ")"
}

/// Without the optionals and the `AnyHashable`s around it, however many; nil as it is.
func unwrapped(_ value: Any) -> Any {
    var value = value
    while true {
        if type(of: value) == AnyHashable.self, let hashable = value as? AnyHashable {
            value = hashable.base
            continue
        }
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional, let some = mirror.children.first else { return value }
        value = some.value
    }
}

/// The text of a value that is not looked into: nil, a case without payload, or of a type of the standard library or of
/// Foundation that describes itself.
func leafText(_ value: Any) -> LogText? {
    if let text = value as? any StringProtocol { return LogText(quoting: String(text)) }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional: return LogText("nil")
    case .collection, .dictionary, .set, .tuple: return nil
    case .enum: return mirror.children.isEmpty ? LogText(escaping: kindOfAnything(value)) : nil
    case .class, .struct, .foreignReference, nil: break
    @unknown default: break
    }
    let type = type(of: value)
    let module = String(reflecting: type).prefix { $0 != "." }
    if let bytes = value as? any Collection<UInt8> { return LogText(bytesText(bytes)) }
    let isWellKnown = ["Swift", "Foundation", "FoundationEssentials", "Dispatch"].contains(module)
    if isWellKnown || mirror.displayStyle == nil { return LogText(escaping: "\(value)") }
    return mirror.children.isEmpty && mirror.superclassMirror == nil ? LogText(escaping: "\(type)") : nil
}

/// The name of a part; of one without a name its place, which a mirror calls `.0`.
func labelText(_ label: String?, _ index: Int) -> String {
    guard let label, !label.hasPrefix(".") else { return "\(index)" }
    return escapedForLog(label)
}

/// Bytes, Foundation's Data say, which would describe itself by their count alone.
private func bytesText(_ bytes: some Collection<UInt8>) -> String {
    let first = bytes.prefix(32).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    guard bytes.count > 32 else { return "\(bytes.count) bytes \(first)" }
    // FNV-1a, so that a change of what is not shown is told, too.
    let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return "\(bytes.count) bytes \(first)… #\(String(hash, radix: 16))"
}

/// What a dump calls a value whose parts follow: the case, or the type.
func headText(_ value: Any, _ mirror: Mirror) -> String {
    switch mirror.displayStyle {
    case .enum: escapedForLog(kindOfAnything(value))
    case .tuple: "tuple"
    default: escapedForLog("\(type(of: value))")
    }
}
