// SPDX-License-Identifier: Apache-2.0

/// A layout in the notation of nginx's `log_format`, compiled into steps.
///
/// The value of a variable ends where the text after the variable begins. If the variable is in quotes, its value ends
/// at the first quote that is not escaped.
struct LineTemplate: Equatable, Sendable {
    /// A variable and the text that follows it.
    struct Step: Equatable, Sendable {
        var slot: FieldSlot
        var isQuoted: Bool
        /// The text after the variable, as a range of ``literals``; empty for a variable at the end of the line.
        var literal: Range<Int>
    }

    /// The layout as it was given.
    let text: String
    let steps: [Step]
    /// The text before the first variable, as a range of ``literals``.
    let prefix: Range<Int>
    /// All texts between variables, one after the other.
    let literals: [UInt8]

    init(_ line: LogFormatLine) throws(FormatError) {
        text = line.text
        var parts = try Self.parts(of: Array(line.text.utf8))
        // The parser removes blanks at the end of each line, so the layout must not end with blanks.
        if let last = parts.last, case .literal(let bytes) = last.kind {
            let kept = bytes.dropLast(bytes.reversed().prefix { $0 == Byte.space || $0 == Byte.tab }.count)
            parts[parts.count - 1].kind = .literal(Array(kept))
            if kept.isEmpty { parts.removeLast() }
        }
        var literals: [UInt8] = []
        var steps: [Step] = []
        var prefix = 0..<0
        var known: Set<FieldSlot> = []
        var previous: String?
        for part in parts {
            switch part.kind {
            case .literal(let bytes):
                let range = literals.count..<literals.count + bytes.count
                literals += bytes
                if steps.isEmpty { prefix = range } else { steps[steps.count - 1].literal = range }
                previous = nil
            case .variable(let name):
                if let previous { throw .touching(first: previous, second: name, place: part.place) }
                var slot = name == Self.joinedTarget ? FieldSlot.target : FieldSlot.of(variable: name)
                // If several variables have the same meaning, only the first one is used.
                if !known.insert(slot).inserted { slot = .skip }
                let isQuoted = literals.last == Byte.quote
                steps.append(Step(slot: slot, isQuoted: isQuoted, literal: 0..<0))
                previous = name
            }
        }
        // So far `isQuoted` says that a quote is before the variable. It needs one after it, too.
        for place in steps.indices where steps[place].isQuoted {
            let literal = steps[place].literal
            steps[place].isQuoted = !literal.isEmpty && literals[literal.lowerBound] == Byte.quote
        }
        try FieldSlot.check(steps.map(\.slot))
        (self.steps, self.prefix, self.literals) = (steps, prefix, literals)
    }

    /// The name that stands for `$uri$is_args$args`. Together these three are the path with its query.
    private static let joinedTarget = "uri$is_args$args"

    private struct Part {
        enum Kind {
            case literal([UInt8])
            case variable(String)
        }
        var kind: Kind
        /// The number of its first byte in the layout, from 1.
        var place: Int
    }

    /// Divides a layout into texts and variables.
    private static func parts(of bytes: [UInt8]) throws(FormatError) -> [Part] {
        var parts: [Part] = []
        var literal: [UInt8] = []
        var place = 0
        while place < bytes.count {
            guard bytes[place] == UInt8(ascii: "$") else {
                literal.append(bytes[place])
                place += 1
                continue
            }
            let start = place
            let name = try VariableName.read(bytes, at: &place)
            if !literal.isEmpty { parts.append(Part(kind: .literal(literal), place: start - literal.count + 1)) }
            literal = []
            parts.append(Part(kind: .variable(name), place: start + 1))
            join(&parts)
        }
        if !literal.isEmpty { parts.append(Part(kind: .literal(literal), place: place - literal.count + 1)) }
        return parts
    }

    /// Replaces `$uri`, `$is_args` and `$args` at the end by one variable.
    private static func join(_ parts: inout [Part]) {
        let names = parts.suffix(3).map { part -> String in
            if case .variable(let name) = part.kind { return name }
            return ""
        }
        guard names.count == 3, ["uri", "document_uri"].contains(names[0]), names[1] == "is_args",
            ["args", "query_string"].contains(names[2])
        else { return }
        let place = parts[parts.count - 3].place
        parts.removeLast(3)
        parts.append(Part(kind: .variable(joinedTarget), place: place))
    }
}

/// Reads `$name` and `${name}`.
enum VariableName {
    /// Returns the name of the variable at `place`, and moves `place` behind the variable. A `$` must be at `place`.
    static func read(_ bytes: [UInt8], at place: inout Int) throws(FormatError) -> String {
        let start = place
        var first = place + 1
        let hasBrace = first < bytes.count && bytes[first] == UInt8(ascii: "{")
        if hasBrace { first += 1 }
        var end = first
        while end < bytes.count, isNameCharacter(bytes[end]) { end += 1 }
        if hasBrace, end == bytes.count || bytes[end] != UInt8(ascii: "}") { throw .unclosedBrace(place: start + 1) }
        guard end > first else { throw .noName(place: start + 1) }
        place = hasBrace ? end + 1 : end
        return String(decoding: bytes[first..<end], as: UTF8.self)
    }

    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        byte &- Byte.zero < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_")
    }
}
