// SPDX-License-Identifier: Apache-2.0

/// Parses `dd/Mon/yyyy:HH:MM:SS +zzzz]`, 27 bytes, and remembers the last minute. Successive lines of a log mostly have
/// the same minute.
struct TimeParser {
    /// The length of the text, with its closing bracket.
    static let length = 27

    private var minute: Int64 = 0
    private var known: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// Returns the minutes since 1970-01-01 00:00 UTC, or nil if the text is not a time. `text` must have at least
    /// `length` bytes.
    @inline(__always)
    mutating func parse(_ text: BytePointer) -> Int64? {
        guard Self.isPair(text + 18), text[18] < UInt8(ascii: "6") || (text[18] == 0x36 && text[19] == Byte.zero)
        else { return nil }
        // All bytes but the seconds, which are at 18 and 19.
        let first = ByteSearch.word(text)
        let second = ByteSearch.word(text + 8)
        let third = ByteSearch.word(text + 16) & 0xFFFF_FFFF_0000_FFFF
        let fourth = ByteSearch.word(text + 19) & 0xFFFF_FFFF_FFFF_FF00
        // `fourth` contains the bracket, so a text that equals the last one has a bracket.
        if first == known.0, second == known.1, third == known.2, fourth == known.3 { return minute }
        guard text[26] == UInt8(ascii: "]"), let fresh = Self.slow(text) else { return nil }
        known = (first, second, third, fourth)
        minute = fresh
        return fresh
    }

    /// Returns the minute of `dd/Mon/yyyy:HH:MM:SS +zzzz`, which has 26 bytes.
    static func minute(_ text: BytePointer) -> Int64? {
        guard isPair(text + 18), text[18] < UInt8(ascii: "6") || (text[18] == 0x36 && text[19] == Byte.zero)
        else { return nil }
        return slow(text)
    }

    private static func slow(_ text: BytePointer) -> Int64? {
        guard text[2] == 0x2F, text[6] == 0x2F, text[11] == 0x3A, text[14] == 0x3A, text[17] == 0x3A,
            text[20] == Byte.space,
            let day = pair(text), let month = month(text + 3), let century = pair(text + 7), let rest = pair(text + 9),
            let hour = pair(text + 12), let minute = pair(text + 15),
            let zoneHours = pair(text + 22), let zoneMinutes = pair(text + 24)
        else { return nil }
        let year = century * 100 + rest
        guard year >= 1, day >= 1, day <= CivilTime.length(year: year, month: month), hour < 24, minute < 60,
            zoneHours < 24, zoneMinutes < 60, text[21] == UInt8(ascii: "+") || text[21] == Byte.dash
        else { return nil }
        let offset = zoneHours * 60 + zoneMinutes
        let local = CivilTime.days(year: year, month: month, day: day) * 1440 + hour * 60 + minute
        return Int64(text[21] == Byte.dash ? local + offset : local - offset)
    }

    @inline(__always)
    private static func isPair(_ text: BytePointer) -> Bool {
        text[0] &- Byte.zero < 10 && text[1] &- Byte.zero < 10
    }

    private static func pair(_ text: BytePointer) -> Int? {
        isPair(text) ? Int(text[0] - Byte.zero) * 10 + Int(text[1] - Byte.zero) : nil
    }

    private static func month(_ text: BytePointer) -> Int? {
        switch (text[0], text[1], text[2]) {
        case (0x4A, 0x61, 0x6E): 1  // Jan
        case (0x46, 0x65, 0x62): 2  // Feb
        case (0x4D, 0x61, 0x72): 3  // Mar
        case (0x41, 0x70, 0x72): 4  // Apr
        case (0x4D, 0x61, 0x79): 5  // May
        case (0x4A, 0x75, 0x6E): 6  // Jun
        case (0x4A, 0x75, 0x6C): 7  // Jul
        case (0x41, 0x75, 0x67): 8  // Aug
        case (0x53, 0x65, 0x70): 9  // Sep
        case (0x4F, 0x63, 0x74): 10  // Oct
        case (0x4E, 0x6F, 0x76): 11  // Nov
        case (0x44, 0x65, 0x63): 12  // Dec
        default: nil
        }
    }
}
