// SPDX-License-Identifier: Apache-2.0

/// A value as lines of text. Entries of sets and dictionaries are sorted, so that equal values give equal lines.
package struct ValueLines {
    private(set) var lines: [String] = []
    private var objects: [ObjectIdentifier] = []
    /// The depth of the value within the whole value.
    private var base = 0
    private static var mostLines: Int { 20_000 }
    private static var deepest: Int { 50 }

    /// The lines of a value.
    static func lines(of value: Any) -> [String] {
        var dump = ValueLines()
        dump.add(value, label: "", indent: "", end: "")
        return dump.lines
    }

    /// The value in one line, cut to a length.
    package static func line(of value: Any) -> String {
        let line = lines(of: value).reduce(into: "") { line, next in
            let next = next.drop { $0 == " " }
            let isInside = line.last.map { !"([".contains($0) } ?? false
            if isInside, let first = next.first, !")]".contains(first) { line += line.hasSuffix(",") ? " " : ", " }
            line += next
        }
        return line.count > 300 ? line.prefix(300) + "…" : line
    }

    private mutating func add(_ value: Any, label: String, indent: String, end: String) {
        guard lines.count < Self.mostLines, depth(indent) < Self.deepest else { return }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional {
            if let some = mirror.children.first {
                add(some.value, label: label, indent: indent, end: end)
            } else {
                lines.append("\(indent)\(label)nil\(end)")
            }
            return
        }
        guard !Self.isPlain(value, mirror), mirror.superclassMirror != nil || !mirror.children.isEmpty else {
            lines.append("\(indent)\(label)\(Self.text(value, mirror))\(end)")
            return
        }
        var object: ObjectIdentifier?
        if mirror.displayStyle == .class {
            let identity = ObjectIdentifier(value as AnyObject)
            guard !objects.contains(identity) else {
                lines.append("\(indent)\(label)\(type(of: value)) (above)\(end)")
                return
            }
            objects.append(identity)
            object = identity
        }
        defer { if object != nil { objects.removeLast() } }
        let inner = indent + "  "
        switch mirror.displayStyle {
        case .collection:
            group(label + "[", "]\(end)", indent) { dump in
                for child in mirror.children { dump.add(child.value, label: "", indent: inner, end: "") }
            }
        case .set:
            group(label + "Set [", "]\(end)", indent) { dump in
                for part in Self.sorted(mirror.children.map { dump.sub($0.value, "", inner) }) {
                    dump.addLines(part, inner)
                }
            }
        case .dictionary:
            group(label + "[", "]\(end)", indent) { dump in
                let parts = mirror.children.map { entry -> [String] in
                    let pair = Array(Mirror(reflecting: entry.value).children)
                    guard pair.count == 2 else { return dump.sub(entry.value, "", inner) }
                    return dump.sub(pair[1].value, Self.line(of: pair[0].value) + ": ", inner)
                }
                for part in Self.sorted(parts) { dump.addLines(part, inner) }
            }
        case .enum:
            guard let payload = mirror.children.first else { break }
            group("\(label).\(payload.label ?? "")(", ")\(end)", indent) { dump in
                let inside = Mirror(reflecting: payload.value)
                if inside.displayStyle == .tuple {
                    dump.addFields(inside, inner)
                } else {
                    dump.add(payload.value, label: "", indent: inner, end: "")
                }
            }
        case .tuple:
            group(label + "(", ")\(end)", indent) { $0.addFields(mirror, inner) }
        default:
            group("\(label)\(type(of: value))(", ")\(end)", indent) { dump in
                var ancestors: [Mirror] = []
                var next = mirror.superclassMirror
                while let ancestor = next {
                    ancestors.append(ancestor)
                    next = ancestor.superclassMirror
                }
                for ancestor in ancestors.reversed() { dump.addFields(ancestor, inner) }
                dump.addFields(mirror, inner)
            }
        }
    }

    private mutating func group(_ begin: String, _ end: String, _ indent: String, _ body: (inout ValueLines) -> Void) {
        lines.append(indent + begin)
        let count = lines.count
        body(&self)
        // A case of an enum whose value has one line stays on one line.
        if begin.hasSuffix("("), begin.contains("."), lines.count == count + 1 {
            let only = lines.removeLast().drop { $0 == " " }
            lines[count - 1] += only + end
        } else {
            lines.append(indent + end)
        }
    }

    private mutating func addFields(_ mirror: Mirror, _ indent: String) {
        for child in mirror.children {
            let isNamed = child.label.map { !$0.hasPrefix(".") } ?? false
            add(child.value, label: isNamed ? "\(child.label ?? ""): " : "", indent: indent, end: "")
        }
    }

    private mutating func addLines(_ part: [String], _ indent: String) {
        for line in part where lines.count < Self.mostLines { lines.append(indent + line) }
    }

    private func depth(_ indent: String) -> Int { base + indent.utf8.count / 2 }

    /// The lines of an element of a set or a dictionary, to be sorted.
    private func sub(_ value: Any, _ label: String, _ indent: String) -> [String] {
        var dump = ValueLines()
        dump.objects = objects
        dump.base = depth(indent)
        dump.add(value, label: label, indent: "", end: "")
        return dump.lines
    }

    private static func sorted(_ parts: [[String]]) -> [[String]] {
        parts.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Whether a value is shown by its own description, as the structs of Swift and Foundation are.
    private static func isPlain(_ value: Any, _ mirror: Mirror) -> Bool {
        if value is any StringProtocol { return true }
        guard mirror.displayStyle == .struct || mirror.displayStyle == nil else { return false }
        let name = String(reflecting: type(of: value))
        return name.hasPrefix("Swift.") || name.hasPrefix("Foundation")
    }

    private static func text(_ value: Any, _ mirror: Mirror) -> String {
        switch value {
        case let text as any StringProtocol: String(text).debugDescription
        case let text as Character: String(text).debugDescription
        default:
            switch mirror.displayStyle {
            case .enum where !(value is any CustomStringConvertible): ".\(value)"
            case .struct where !isPlain(value, mirror): "\(type(of: value))()"
            case .collection, .dictionary: "[]"
            case .set: "Set []"
            default: "\(value)"
            }
        }
    }
}
