// SPDX-License-Identifier: Apache-2.0

/// A minute of the log in which a larger share of the requests failed than `--alert` allows.
struct Alert: Equatable, Sendable {
    /// The number of requests below which a minute raises no alert, because the share of so few means nothing.
    static let fewestEvents: UInt64 = 10

    /// The minute, as text of the report.
    var text: KeyText
    /// The events of that minute when the alert was raised.
    var events: UInt64
    var failures: UInt64
    /// The index of the minute in the table of minutes. It has 32 bits and is the last field, so that an action is not
    /// larger than an event.
    var minute: UInt32

    /// Returns whether a request failed: a server error, or a page that was not found.
    @inline(__always)
    static func isFailure(_ status: UInt16) -> Bool { status >= 500 || status == 404 }

    func isAbove(_ rate: AlertRate) -> Bool {
        events >= Self.fewestEvents && Double(failures) > rate.share * Double(events)
    }
}
