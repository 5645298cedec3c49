// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import Testing

@Suite("Numbers as text")
struct DecimalTests {
    @Test(
        "a duration has three digits and a unit",
        arguments: [
            (Duration.zero, "0 ns"), (.nanoseconds(400), "400 ns"), (.nanoseconds(1_200), "1.20 µs"),
            (.nanoseconds(50_718_248), "50.7 ms"), (.milliseconds(999.6), "1.00 s"), (.seconds(90), "90.0 s"),
            (.seconds(150), "2.50 min"), (.seconds(3 * 3_600), "3.00 h"), (.seconds(-1), "0 ns"),
            (.nanoseconds(-1), "0 ns"), (Duration(secondsComponent: 0, attosecondsComponent: 999_999_999), "1 ns"),
            (Duration(secondsComponent: .max, attosecondsComponent: 0), "5124096 h"),
        ]
    )
    func duration(_ duration: Duration, text: String) {
        #expect(Decimal.duration(duration) == text)
    }

    @Test("a count is in the plural unless it is one")
    func count() {
        #expect(Decimal.count(0, "action") == "0 actions")
        #expect(Decimal.count(1, "action") == "1 action")
        #expect(Decimal.count(1_600, "action") == "1,600 actions")
    }
}
