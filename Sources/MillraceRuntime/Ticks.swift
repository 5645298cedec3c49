// SPDX-License-Identifier: Apache-2.0

public import CMillrace

/// A monotonic time stamp that costs a few nanoseconds: the processor's invariant counter.
///
/// ```swift
/// let start = Ticks.now
/// work()
/// print(start.nanoseconds(until: .now))
/// ```
///
/// Any thread. Two cores agree to within some tens of nanoseconds, so a difference across threads never counts as
/// negative here: it is zero. The first conversion calibrates the counter, which takes about 5 ms.
public struct Ticks: Sendable, Hashable, Comparable {
    /// The counter's value; its unit is the machine's.
    public let rawValue: UInt64

    /// A stamp with a known value.
    @inlinable
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The stamp of this moment.
    @inlinable
    public static var now: Ticks { Ticks(rawValue: millrace_clock_ticks()) }

    /// Nanoseconds from this stamp to a later one; 0 if it is not later.
    public func nanoseconds(until later: Ticks) -> UInt64 {
        millrace_clock_nanoseconds(millrace_clock_passed(rawValue, later.rawValue))
    }

    /// How many ticks a duration takes. A negative duration takes none; one too long to be told takes the most.
    public static func count(in duration: Duration) -> UInt64 {
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let (whole, tooLong) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        // A year: far from where the conversion would overflow.
        guard !tooLong, whole < 31_536_000_000_000_000 else { return .max }
        return millrace_clock_from_nanoseconds(whole + UInt64(attoseconds) / 1_000_000_000)
    }

    /// Whether the left stamp is the earlier one.
    @inlinable
    public static func < (lhs: Ticks, rhs: Ticks) -> Bool { lhs.rawValue < rhs.rawValue }
}
