// SPDX-License-Identifier: Apache-2.0

/// The escapes of JSON strings.
enum JSONText {
    typealias Slice = ParsedLine.Slice

    /// Returns a text without its escapes, in the memory of `fields`; nil if an escape is not valid.
    ///
    /// `\xHH` is not JSON, but nginx writes it if its log format has no `escape=json`. Half of a surrogate pair becomes
    /// U+FFFD, and so does a NUL: no text of a line has one.
    static func unescaped(_ text: Slice, into fields: inout FieldSlices) -> Slice? {
        guard let target = fields.reserve(text.count) else { return nil }
        var (from, to) = (0, 0)
        while from < text.count {
            guard text[from] == Byte.backslash else {
                target[to] = text[from]
                (from, to) = (from + 1, to + 1)
                continue
            }
            guard from + 1 < text.count else { return nil }
            let code = text[from + 1]
            from += 2
            switch code {
            case Byte.quote, Byte.backslash, UInt8(ascii: "/"): append(code)
            case UInt8(ascii: "b"): append(0x08)
            case UInt8(ascii: "f"): append(0x0C)
            case UInt8(ascii: "n"): append(Byte.newline)
            case UInt8(ascii: "r"): append(Byte.carriageReturn)
            case UInt8(ascii: "t"): append(Byte.tab)
            case UInt8(ascii: "x"):
                guard let value = hex(text, from, 2) else { return nil }
                from += 2
                if value == 0 { replacement() } else { append(UInt8(value)) }
            case UInt8(ascii: "u"):
                guard let scalar = scalar(text, &from) else { return nil }
                if scalar.value == 0 {
                    replacement()
                    continue
                }
                // The character is at most as long as its escape: three bytes for an escape of six, four for one of
                // twelve.
                for byte in UTF8.encode(scalar)! { append(byte) }
            default: return nil
            }
        }
        func append(_ byte: UInt8) {
            target[to] = byte
            to += 1
        }
        func replacement() {
            for byte in UTF8.encode("\u{FFFD}")! { append(byte) }
        }
        return fields.keep(to)
    }

    /// Returns the character of `\uHHHH`, of which `place` is behind the `u`, and moves `place` behind it.
    private static func scalar(_ text: Slice, _ place: inout Int) -> Unicode.Scalar? {
        guard let first = hex(text, place, 4) else { return nil }
        place += 4
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, place + 1 < text.count, text[place] == Byte.backslash,
            text[place + 1] == UInt8(ascii: "u"),
            let second = hex(text, place + 2, 4), (0xDC00...0xDFFF).contains(second)
        else { return "\u{FFFD}" }
        place += 6
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    }

    private static func hex(_ text: Slice, _ start: Int, _ count: Int) -> UInt32? {
        guard start + count <= text.count else { return nil }
        var value: UInt32 = 0
        for byte in text[start..<(start + count)] {
            let digit =
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - Byte.zero
                case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
                case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
                default: UInt8.max
                }
            guard digit < 16 else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
