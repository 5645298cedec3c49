// SPDX-License-Identifier: Apache-2.0

/// Reads a layout that is a JSON object: the names of its members, and the variable that each stands for. The variables
/// need not be quoted.
struct JSONLayoutReader {
    private(set) var members: [(name: [UInt8], variable: String)] = []
    private let bytes: [UInt8]
    private var place = 0
    private static let deepest = 8

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func read() throws(FormatError) {
        try object(prefix: [], depth: 0)
        skipBlanks()
        guard place == bytes.count else { throw problem("text after the object") }
    }

    private func problem(_ reason: String) -> FormatError { .json(reason: reason, place: place + 1) }

    private mutating func skipBlanks() {
        while place < bytes.count, bytes[place] == Byte.space || bytes[place] == Byte.tab { place += 1 }
    }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func expect(_ byte: Unicode.Scalar) throws(FormatError) {
        skipBlanks()
        guard next == UInt8(ascii: byte) else { throw problem("'\(byte)' is missing") }
        place += 1
    }

    private mutating func object(prefix: [UInt8], depth: Int) throws(FormatError) {
        guard depth < Self.deepest else { throw problem("the objects are too deep") }
        try expect("{")
        skipBlanks()
        if next == UInt8(ascii: "}") {
            place += 1
            return
        }
        while true {
            try expect("\"")
            let name = prefix + (try quoted())
            try expect(":")
            try value(of: name, depth: depth)
            skipBlanks()
            if next == UInt8(ascii: ",") {
                place += 1
                skipBlanks()
                continue
            }
            try expect("}")
            return
        }
    }

    private mutating func value(of name: [UInt8], depth: Int) throws(FormatError) {
        skipBlanks()
        switch next {
        case UInt8(ascii: "{"): try object(prefix: name + [UInt8(ascii: ".")], depth: depth + 1)
        case Byte.quote:
            let start = place + 1
            place += 1
            try add(name, Array(try quoted()), at: start)
        default:
            let start = place
            while let byte = next, byte != UInt8(ascii: ","), byte != UInt8(ascii: "}"), byte != Byte.space {
                place += 1
            }
            guard place > start else { throw problem("a value is missing") }
            try add(name, Array(bytes[start..<place]), at: start)
        }
    }

    /// Adds a member whose value is one variable. A constant is no field; a mixture cannot be taken apart.
    private mutating func add(_ name: [UInt8], _ value: [UInt8], at start: Int) throws(FormatError) {
        guard value.contains(UInt8(ascii: "$")) else { return }
        var end = 0
        let variable = value[0] == UInt8(ascii: "$") ? try VariableName.read(value, at: &end) : ""
        guard end == value.count else {
            place = start
            throw problem("the value is more than one variable. Give each variable a member of its own")
        }
        members.append((name, variable))
    }

    /// Returns the text up to the closing quote.
    private mutating func quoted() throws(FormatError) -> [UInt8] {
        let start = place
        while let byte = next, byte != Byte.quote { place += byte == Byte.backslash ? 2 : 1 }
        guard next == Byte.quote else {
            place = start
            throw problem("a quoted text does not end")
        }
        defer { place += 1 }
        return Array(bytes[start..<place])
    }
}
