// SPDX-License-Identifier: Apache-2.0

/// Reads one JSON object and keeps the members that are fields of a request. It allocates nothing for a line.
struct JSONLineParser {
    private static let deepest = 32
    private static let longestName = 256

    private let names: JSONNames
    /// The path of the member that is read: the names of the objects around it, joined by dots.
    private var path: [UInt8] = []
    /// The rank of the member that each slot has.
    private var ranks = [UInt8](repeating: .max, count: FieldSlot.allCases.count)

    init(names: JSONNames) {
        self.names = names
        path.reserveCapacity(Self.longestName)
    }

    /// Finds the fields of the line `start ..< end`. Returns what is wrong with it, or nil.
    mutating func split(_ start: BytePointer, _ end: BytePointer, into fields: inout FieldSlices) -> MalformedReason? {
        for slot in ranks.indices { ranks[slot] = .max }
        path.removeAll(keepingCapacity: true)
        var place = Self.afterBlanks(start, end)
        guard object(&place, end, depth: 0, &fields) else { return .json }
        return Self.afterBlanks(place, end) == end ? nil : .json
    }

    @inline(__always)
    private static func afterBlanks(_ start: BytePointer, _ end: BytePointer) -> BytePointer {
        var place = start
        while place < end, place[0] == Byte.space || place[0] == Byte.tab { place += 1 }
        return place
    }

    /// Moves behind blanks and a byte. Returns whether the byte was there.
    @inline(__always)
    private static func take(_ byte: Unicode.Scalar, _ place: inout BytePointer, _ end: BytePointer) -> Bool {
        place = afterBlanks(place, end)
        guard place < end, place[0] == UInt8(ascii: byte) else { return false }
        place += 1
        return true
    }

    private mutating func object(
        _ place: inout BytePointer,
        _ end: BytePointer,
        depth: Int,
        _ fields: inout FieldSlices
    ) -> Bool {
        guard depth < Self.deepest, Self.take("{", &place, end) else { return false }
        if Self.take("}", &place, end) { return true }
        let outer = path.count
        repeat {
            guard Self.take("\"", &place, end), let quote = ByteSearch.closingQuote(place, end) else { return false }
            // No field has a name that is too long for the path.
            if outer + (quote - place) < Self.longestName {
                if outer > 0 { path.append(UInt8(ascii: ".")) }
                path.append(contentsOf: UnsafeBufferPointer(start: place, count: quote - place))
            } else {
                path.append(0)
            }
            place = quote + 1
            guard Self.take(":", &place, end), value(&place, end, depth: depth, &fields) else { return false }
            path.removeLast(path.count - outer)
        } while Self.take(",", &place, end)
        return Self.take("}", &place, end)
    }

    private mutating func array(
        _ place: inout BytePointer,
        _ end: BytePointer,
        depth: Int,
        _ fields: inout FieldSlices
    ) -> Bool {
        guard depth < Self.deepest, Self.take("[", &place, end) else { return false }
        if Self.take("]", &place, end) { return true }
        repeat {
            // The elements have the name of the array; the first one counts.
            guard value(&place, end, depth: depth, &fields) else { return false }
        } while Self.take(",", &place, end)
        return Self.take("]", &place, end)
    }

    private mutating func value(
        _ place: inout BytePointer,
        _ end: BytePointer,
        depth: Int,
        _ fields: inout FieldSlices
    ) -> Bool {
        place = Self.afterBlanks(place, end)
        guard place < end else { return false }
        switch place[0] {
        case UInt8(ascii: "{"): return object(&place, end, depth: depth + 1, &fields)
        case UInt8(ascii: "["): return array(&place, end, depth: depth + 1, &fields)
        case Byte.quote:
            let start = place + 1
            guard let quote = ByteSearch.closingQuote(start, end) else { return false }
            place = quote + 1
            return keep(.init(start: start, count: quote - start), isText: true, &fields)
        default:
            let start = place
            while place < end, Self.isPlain(place[0]) { place += 1 }
            guard place > start else { return false }
            let text = ParsedLine.Slice(start: start, count: place - start)
            if Self.isNumber(text) { return keep(text, isText: false, &fields) }
            return Self.isConstant(text)
        }
    }

    @inline(__always)
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte &- Byte.zero < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
    }

    private static func isNumber(_ text: ParsedLine.Slice) -> Bool {
        let first = text[0] == Byte.dash && text.count > 1 ? text[1] : text[0]
        return first &- Byte.zero < 10
    }

    /// Whether a text is `null`, `true` or `false`: no field has such a value.
    private static func isConstant(_ text: ParsedLine.Slice) -> Bool {
        ["null", "true", "false"].contains { (word: StaticString) in
            word.utf8CodeUnitCount == text.count && (0..<text.count).allSatisfy { word.utf8Start[$0] == text[$0] }
        }
    }

    /// Keeps a value if the member is a field. Returns false if the text is not valid JSON.
    private mutating func keep(_ text: ParsedLine.Slice, isText: Bool, _ fields: inout FieldSlices) -> Bool {
        guard let entry = path.withUnsafeBufferPointer({ names.entry($0) }) else { return true }
        let slot = Int(entry.slot.rawValue)
        guard entry.rank < ranks[slot], !text.isEmpty else { return true }
        guard isText, text.contains(Byte.backslash) else {
            ranks[slot] = entry.rank
            fields[entry.slot] = text
            return true
        }
        guard let plain = JSONText.unescaped(text, into: &fields) else { return false }
        ranks[slot] = entry.rank
        fields[entry.slot] = plain
        return true
    }
}
