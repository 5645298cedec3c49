// SPDX-License-Identifier: Apache-2.0

/// A minute of the log in which a larger share of the requests failed than `--alert` allows.
struct Alert: Equatable, Sendable {
    /// Fewer requests say nothing about a minute.
    static let fewestEvents: UInt64 = 10

    /// The minute, as the report has it.
    var text: KeyText
    /// What was counted for that minute when the alert was raised.
    var events: UInt64
    var failures: UInt64
    /// The place of the minute in the table of minutes. 32 bits, and last: an action is as small as an event.
    var minute: UInt32

    /// Whether a request failed: the server's errors, and what was not found.
    @inline(__always)
    static func isFailure(_ status: UInt16) -> Bool { status >= 500 || status == 404 }

    func isAbove(_ rate: AlertRate) -> Bool {
        events >= Self.fewestEvents && Double(failures) > rate.share * Double(events)
    }
}
