// SPDX-License-Identifier: Apache-2.0

/// A JSON value. The members of an object keep their order.
indirect enum JSON {
    case number(UInt64)
    case decimal(Double)
    case text(String)
    case array([JSON])
    case object([(String, JSON)])

    /// Creates an array of numbers.
    static func numbers(_ numbers: some Sequence<UInt64>) -> JSON { .array(numbers.map { .number($0) }) }

    /// Writes the value. With an indent, each member gets its own line, except in arrays and objects of plain values.
    func write(to target: inout some TextOutputStream, indent: String? = nil) {
        switch self {
        case .number(let number): target.write(String(number))
        case .decimal(let number): target.write(number.isFinite ? "\(number)" : "null")
        case .text(let text): target.write(Escaping.json(text))
        case .array(let values): group("[", values.map { (nil, $0) }, "]", indent, &target)
        case .object(let members): group("{", members.map { ($0.0, $0.1) }, "}", indent, &target)
        }
    }

    private func group(
        _ open: String,
        _ members: [(name: String?, value: JSON)],
        _ close: String,
        _ indent: String?,
        _ target: inout some TextOutputStream
    ) {
        let inner = members.contains { !$0.value.isPlain } ? indent.map { $0 + "  " } : nil
        target.write(open)
        for (index, member) in members.enumerated() {
            if index > 0 { target.write(inner == nil && indent != nil ? ", " : ",") }
            if let inner { target.write("\n" + inner) }
            if let name = member.name { target.write(Escaping.json(name) + (indent == nil ? ":" : ": ")) }
            member.value.write(to: &target, indent: inner ?? indent)
        }
        if inner != nil, let indent { target.write("\n" + indent) }
        target.write(close)
    }

    private var isPlain: Bool {
        switch self {
        case .array, .object: false
        default: true
        }
    }
}
