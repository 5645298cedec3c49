// SPDX-License-Identifier: Apache-2.0

public import CMillrace

/// A monotonic time stamp from the processor's invariant counter. Taking one costs a few nanoseconds.
///
/// ```swift
/// let start = Ticks.now
/// work()
/// print(start.nanoseconds(until: .now))
/// ```
///
/// Any thread. The counters of two cores differ by at most some tens of nanoseconds, so a difference between threads
/// that would be negative is zero here. The first conversion calibrates the counter, which takes about 5 ms.
public struct Ticks: Sendable, Hashable, Comparable {
    /// The value of the counter, in a unit that depends on the machine.
    public let rawValue: UInt64

    /// Creates a stamp from a counter value.
    @inlinable
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The current time.
    @inlinable
    public static var now: Ticks { Ticks(rawValue: millrace_clock_ticks()) }

    /// Returns the nanoseconds from this stamp to a later one, or 0 if that one is not later.
    public func nanoseconds(until later: Ticks) -> UInt64 {
        millrace_clock_nanoseconds(millrace_clock_passed(rawValue, later.rawValue))
    }

    /// Returns the number of ticks in a duration: 0 for a negative duration, `UInt64.max` for one of a year or more.
    public static func count(in duration: Duration) -> UInt64 {
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let (whole, tooLong) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        // A year: far below the value at which the conversion would overflow.
        guard !tooLong, whole < 31_536_000_000_000_000 else { return .max }
        return millrace_clock_from_nanoseconds(whole + UInt64(attoseconds) / 1_000_000_000)
    }

    /// Returns whether the left stamp is earlier than the right one.
    @inlinable
    public static func < (lhs: Ticks, rhs: Ticks) -> Bool { lhs.rawValue < rhs.rawValue }
}
