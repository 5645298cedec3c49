// SPDX-License-Identifier: Apache-2.0

/// Days and minutes of the proleptic Gregorian calendar, without Foundation.
enum CivilTime {
    /// Returns the days from 1970-01-01 to the given date (Howard Hinnant's `days_from_civil`).
    static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Returns the date that is `days` after 1970-01-01.
    static func date(days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * dayOfYear + 2) / 153
        let month = part < 10 ? part + 3 : part - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * part + 2) / 5 + 1)
    }

    /// Returns the number of days of a month.
    static func length(year: Int, month: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    /// Returns the minute of a text that ``text(minute:)`` has returned; nil for any other text.
    static func minute(text: [UInt8]) -> Int64? {
        let numbers = text.split { $0 &- Byte.zero >= 10 }.map { digits in
            digits.prefix(6).reduce(0) { $0 * 10 + Int($1 &- Byte.zero) }
        }
        guard numbers.count == 5, (1...12).contains(numbers[1]) else { return nil }
        let day = days(year: numbers[0], month: numbers[1], day: numbers[2])
        return Int64(day * 1440 + numbers[3] * 60 + numbers[4])
    }

    /// Returns the minute as `yyyy-mm-ddTHH:MMZ`. Texts have the same order as times.
    static func text(minute: Int64) -> [UInt8] {
        let day = minute >= 0 ? minute / 1440 : (minute - 1439) / 1440
        let ofDay = Int(minute - day * 1440)
        let (year, month, date) = date(days: Int(day))
        func digits(_ value: Int, _ width: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
        }
        let text = "\(digits(year, 4))-\(digits(month, 2))-\(digits(date, 2))"
        return Array("\(text)T\(digits(ofDay / 60, 2)):\(digits(ofDay % 60, 2))Z".utf8)
    }
}
