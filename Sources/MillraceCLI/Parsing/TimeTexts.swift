// SPDX-License-Identifier: Apache-2.0

/// Moments in other forms than that of Apache's log. All return the minutes since 1970-01-01 00:00 UTC, or nil if the
/// text is not such a moment.
enum TimeTexts {
    typealias Slice = ParsedLine.Slice

    /// `17/May/2015:10:05:03 +0000`, with or without brackets.
    static func local(_ text: Slice) -> Int64? {
        var text = text
        if text.count == 28, text[0] == UInt8(ascii: "["), text[27] == UInt8(ascii: "]") {
            text = Slice(rebasing: text[1..<27])
        }
        guard text.count == TimeParser.length - 1 else { return nil }
        return TimeParser.minute(text.baseAddress!)
    }

    /// ISO 8601: `2015-05-17T10:05:03.123+02:00`. A space may stand for the `T`; a text without a zone is UTC.
    static func iso(_ text: Slice) -> Int64? {
        guard text.count >= 19, text[10] == UInt8(ascii: "T") || text[10] == Byte.space || text[10] == 0x74,
            let day = day(Slice(rebasing: text[..<10])),
            let ofDay = minuteOfDay(Slice(rebasing: text[11..<19]))
        else { return nil }
        var rest = text[19...]
        if let mark = rest.first, mark == UInt8(ascii: ".") || mark == UInt8(ascii: ",") {
            let digits = rest.dropFirst().prefix { $0 &- Byte.zero < 10 }
            guard !digits.isEmpty else { return nil }
            rest = rest.dropFirst(digits.count + 1)
        }
        guard let offset = zone(Slice(rebasing: rest)) else { return nil }
        return day * 1440 + ofDay - offset
    }

    /// Seconds since 1970, with or without a fraction: `1431857103.123`.
    static func epoch(_ text: Slice) -> Int64? {
        guard let (whole, _) = wholeNumber(text), whole <= latestSecond else { return nil }
        return Int64(whole / 60)
    }

    /// Any of the forms. Large numbers are milliseconds, microseconds or nanoseconds.
    static func any(_ text: Slice) -> Int64? {
        if text.count > 10, text[2] == UInt8(ascii: "/") || text[0] == UInt8(ascii: "[") { return local(text) }
        guard let (number, _) = wholeNumber(text) else { return iso(text) }
        let seconds =
            switch number {
            case ...latestSecond: number
            case ..<100_000_000_000_000: number / 1000
            case ..<100_000_000_000_000_000: number / 1_000_000
            default: number / 1_000_000_000
            }
        return Int64(seconds / 60)
    }

    /// A date and a time of day, both in UTC: `2015-05-17` and `10:05:03`.
    static func utc(date: Slice, time: Slice) -> Int64? {
        guard let day = day(date), time.count >= 8, let ofDay = minuteOfDay(Slice(rebasing: time[..<8])) else {
            return nil
        }
        // A fraction of a second may follow.
        let isWhole = time[8...].dropFirst().allSatisfy { $0 &- Byte.zero < 10 }
        guard isWhole, time.count == 8 || time[8] == UInt8(ascii: ".") else { return nil }
        return day * 1440 + ofDay
    }

    /// 5138-11-16, so that every date that a server writes is below it as seconds, and above it as milliseconds.
    private static let latestSecond: UInt64 = 100_000_000_000

    /// Returns the digits before a point, if digits are all that follows it.
    private static func wholeNumber(_ text: Slice) -> (UInt64, Slice.Index)? {
        let end = text.firstIndex(of: UInt8(ascii: ".")) ?? text.count
        guard (1...19).contains(end), text[end...].dropFirst().allSatisfy({ $0 &- Byte.zero < 10 }) else { return nil }
        var value: UInt64 = 0
        for byte in text[..<end] {
            guard byte &- Byte.zero < 10 else { return nil }
            value = value * 10 + UInt64(byte - Byte.zero)
        }
        return (value, end)
    }

    /// Returns the days since 1970 of `yyyy-mm-dd`.
    private static func day(_ text: Slice) -> Int64? {
        guard text.count == 10, text[4] == Byte.dash, text[7] == Byte.dash, let century = pair(text, 0),
            let rest = pair(text, 2), let month = pair(text, 5), let day = pair(text, 8), (1...12).contains(month)
        else { return nil }
        let year = century * 100 + rest
        guard year >= 1, day >= 1, day <= CivilTime.length(year: year, month: month) else { return nil }
        return Int64(CivilTime.days(year: year, month: month, day: day))
    }

    /// Returns the minute of `HH:MM:SS`.
    private static func minuteOfDay(_ text: Slice) -> Int64? {
        guard text[2] == UInt8(ascii: ":"), text[5] == UInt8(ascii: ":"), let hour = pair(text, 0),
            let minute = pair(text, 3), let second = pair(text, 6), hour < 24, minute < 60, second <= 60
        else { return nil }
        return Int64(hour * 60 + minute)
    }

    /// Returns the minutes of `Z`, `+02:00`, `+0200` or `+02`; 0 for nothing.
    private static func zone(_ text: Slice) -> Int64? {
        if text.isEmpty || (text.count == 1 && text[0] | 0x20 == UInt8(ascii: "z")) { return 0 }
        guard text[0] == UInt8(ascii: "+") || text[0] == Byte.dash, text.count >= 3, let hours = pair(text, 1) else {
            return nil
        }
        var minutes = 0
        switch text.count {
        case 3: break
        case 5, 6:
            guard text.count == 5 || text[3] == UInt8(ascii: ":"), let found = pair(text, text.count - 2) else {
                return nil
            }
            minutes = found
        default: return nil
        }
        guard hours < 24, minutes < 60 else { return nil }
        return Int64(text[0] == Byte.dash ? -(hours * 60 + minutes) : hours * 60 + minutes)
    }

    private static func pair(_ text: Slice, _ place: Int) -> Int? {
        let (tens, ones) = (text[place] &- Byte.zero, text[place + 1] &- Byte.zero)
        return tens < 10 && ones < 10 ? Int(tens) * 10 + Int(ones) : nil
    }
}
