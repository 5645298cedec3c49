// SPDX-License-Identifier: Apache-2.0

extension LineParser {
    /// Parses `METHOD target PROTOCOL"` or `-"` and returns the position after the closing quote.
    @inline(__always)
    mutating func parseRequest(_ start: BytePointer, _ end: BytePointer) -> BytePointer? {
        // "-" means that the server got no request line. This is an event; its method and path are `-`.
        if end - start >= 2, start[0] == Byte.dash, start[1] == Byte.quote {
            let dash = ParsedLine.Slice(start: start, count: 1)
            setRequest(method: dash, path: dash)
            return start + 2
        }
        guard let methodEnd = Self.methodEnd(start, end), let pathEnd = Self.targetEnd(methodEnd + 1, end),
            let protocolEnd = Self.protocolEnd(pathEnd + 1, end)
        else { return nil }
        setRequest(
            method: .init(start: start, count: methodEnd - start),
            path: .init(start: methodEnd + 1, count: pathEnd - methodEnd - 1)
        )
        return protocolEnd + 1
    }

    /// Returns the space after a method. A method is one or more token characters of RFC 9110.
    @inline(__always)
    private static func methodEnd(_ start: BytePointer, _ end: BytePointer) -> BytePointer? {
        var place = start
        while place < end, isTokenCharacter(place[0]) { place += 1 }
        return place > start && place < end && place[0] == Byte.space ? place : nil
    }

    @inline(__always)
    static func isTokenCharacter(_ byte: UInt8) -> Bool {
        if byte &- UInt8(ascii: "A") < 26 { return true }
        return isOtherTokenCharacter(byte)
    }

    private static func isOtherTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"): true
        case UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), Byte.dash, UInt8(ascii: "."): true
        case UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"): true
        default: false
        }
    }

    /// Returns the space after a target. A target is one or more bytes without a space, and a quote in it must be
    /// escaped.
    @inline(__always)
    private static func targetEnd(_ start: BytePointer, _ end: BytePointer) -> BytePointer? {
        var place = start
        while place < end {
            let word = ByteSearch.word(place)
            let found = ByteSearch.matches(word, Byte.space) | ByteSearch.matches(word, Byte.quote)
            if found == 0 {
                place += 8
                continue
            }
            place += found.trailingZeroBitCount >> 3
            guard place < end else { return nil }
            if place[0] == Byte.space { return place > start ? place : nil }
            guard ByteSearch.isEscaped(place, since: start) else { return nil }
            place += 1
        }
        return nil
    }

    /// Returns the quote after a protocol. A protocol is letters, a slash, digits and dots.
    @inline(__always)
    private static func protocolEnd(_ start: BytePointer, _ end: BytePointer) -> BytePointer? {
        guard end - start > 8 else { return slowProtocolEnd(start, end) }
        // Compares "HTTP/1." at once; a digit must follow.
        let isHTTP1 = ByteSearch.word(start) & 0x00FF_FFFF_FFFF_FFFF == 0x2E_31_2F_50_54_54_48
        if isHTTP1, start[7] &- Byte.zero < 10, start[8] == Byte.quote { return start + 8 }
        return slowProtocolEnd(start, end)
    }

    private static func slowProtocolEnd(_ start: BytePointer, _ end: BytePointer) -> BytePointer? {
        var place = start
        while place < end, (place[0] | 0x20) &- UInt8(ascii: "a") < 26 { place += 1 }
        guard place > start, place < end, place[0] == UInt8(ascii: "/") else { return nil }
        place += 1
        guard place < end, place[0] &- Byte.zero < 10 else { return nil }
        while place < end, place[0] &- Byte.zero < 10 || place[0] == UInt8(ascii: ".") { place += 1 }
        return place < end && place[0] == Byte.quote ? place : nil
    }
}
