// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import MillraceCLI

private func minute(_ text: String) -> Int64? {
    var parser = TimeParser()
    let bytes = Array(text.utf8) + [UInt8](repeating: 0, count: ByteSearch.padding)
    return bytes.withUnsafeBufferPointer { parser.parse($0.baseAddress!) }
}

@Suite struct TimeParserTests {
    @Test(arguments: [
        ("01/Jan/1970:00:00:00 +0000]", 0), ("01/Jan/1970:00:00:59 +0000]", 0), ("01/Jan/1970:00:00:60 +0000]", 0),
        ("01/Jan/1970:02:00:00 +0200]", 0), ("31/Dec/1969:21:30:00 -0230]", 0),
        ("29/Feb/2024:23:59:59 +0000]", 28_487_519),
        ("01/Jan/0001:00:00:00 +0000]", -1_035_593_280), ("31/Dec/9999:23:59:00 +0000]", 4_223_371_679),
    ])
    func givesMinutesSince1970(_ text: String, _ expected: Int64) {
        #expect(minute(text) == expected)
    }

    @Test(arguments: [
        "00/Jan/2015:10:05:03 +0000]", "32/Jan/2015:10:05:03 +0000]", "31/Apr/2015:10:05:03 +0000]",
        "29/Feb/2015:10:05:03 +0000]", "29/Feb/1900:10:05:03 +0000]", "17/may/2015:10:05:03 +0000]",
        "17/Mai/2015:10:05:03 +0000]", "17/May/0000:10:05:03 +0000]", "17/May/2015:24:05:03 +0000]",
        "17/May/2015:10:60:03 +0000]", "17/May/2015:10:05:61 +0000]", "17/May/2015:10:05:03 00000]",
        "17/May/2015:10:05:03 +2400]", "17/May/2015:10:05:03 +0060]", "17/May/2015:10:05:03 +000x]",
        "17/May/2015:10:05:03 +0000 ", "17/May/2015 10:05:03 +0000]", "17/May/2015:10:05:03+00000]",
        "7/May/2015:10:05:03 +00000]", "17-May-2015:10:05:03 +0000]", "17/May/2015:10.05:03 +0000]",
        "17/May/2015:10:05.03 +0000]", "17/May/2015:1x:05:03 +0000]", "17/May/2015:10:05:x3 +0000]",
    ])
    func refusesEverythingElse(_ text: String) {
        #expect(minute(text) == nil)
    }

    /// The last minute is remembered: a neighbour that differs in one byte must not be taken for it.
    @Test func remembersOnlyTheVeryMinute() {
        let first = Array("17/May/2015:10:05:03 +0000]".utf8)
        for place in first.indices {
            for byte in UInt8(0x20)...0x7E {
                var other = first
                other[place] = byte
                let padding = [UInt8](repeating: 0, count: ByteSearch.padding)
                let fresh = minute(String(decoding: other, as: UTF8.self))
                var parser = TimeParser()
                _ = (first + padding).withUnsafeBufferPointer { parser.parse($0.baseAddress!) }
                let second = (other + padding).withUnsafeBufferPointer { parser.parse($0.baseAddress!) }
                #expect(second == fresh, "\(String(decoding: other, as: UTF8.self))")
            }
        }
    }

    @Test func agreesWithTheSystemsCalendar() {
        for day in stride(from: -700_000, through: 2_900_000, by: 997) {
            let (year, month, date) = CivilTime.date(days: day)
            var parts = tm()
            (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(date))
            #expect(timegm(&parts) == day * 86_400)
            #expect(CivilTime.days(year: year, month: month, day: date) == day)
        }
    }

    @Test func writesMinutes() {
        #expect(String(decoding: CivilTime.text(minute: 23_864_285), as: UTF8.self) == "2015-05-17T10:05Z")
        #expect(String(decoding: CivilTime.text(minute: -1), as: UTF8.self) == "1969-12-31T23:59Z")
        #expect(String(decoding: CivilTime.text(minute: 0), as: UTF8.self) == "1970-01-01T00:00Z")
    }
}
