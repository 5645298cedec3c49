// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The time of an action: a point on the wall clock, in nanoseconds.
///
/// ```swift
/// let sessions = Reducer<AppAction, AppState>.reduceAt { action, time, state in
///     state.lastSeen = time
///     state.expires = time + .seconds(600)
/// }
/// ```
///
/// The system may set the wall clock back: a later action can have an earlier time.
public struct ActionTime: InstantProtocol, Hashable, Codable, Sendable {
    /// Nanoseconds since the beginning of 1970 in UTC, without leap seconds. Enough for the years 1678 to 2262.
    public var nanosecondsSince1970: Int64

    /// A time by its nanoseconds since the beginning of 1970 in UTC.
    public init(nanosecondsSince1970: Int64) {
        self.nanosecondsSince1970 = nanosecondsSince1970
    }

    /// The system's time now. Any thread; about 20 ns.
    public static var now: ActionTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return ActionTime(nanosecondsSince1970: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }

    /// The time `duration` later. A result that does not fit is the earliest or the latest time.
    public func advanced(by duration: Duration) -> ActionTime {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        // Both parts of a duration have the same sign.
        let limit = seconds < 0 ? Int64.min : Int64.max
        if overflow { return ActionTime(nanosecondsSince1970: limit) }
        let (step, stepOverflow) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        if stepOverflow { return ActionTime(nanosecondsSince1970: limit) }
        let (sum, sumOverflow) = nanosecondsSince1970.addingReportingOverflow(step)
        return ActionTime(nanosecondsSince1970: sumOverflow ? limit : sum)
    }

    /// The duration from this time to another; negative if the other is earlier.
    public func duration(to other: ActionTime) -> Duration {
        .nanoseconds(other.nanosecondsSince1970) - .nanoseconds(nanosecondsSince1970)
    }

    /// Whether a time is earlier than another.
    public static func < (left: ActionTime, right: ActionTime) -> Bool {
        left.nanosecondsSince1970 < right.nanosecondsSince1970
    }

    /// The time `duration` after `time`, as ``advanced(by:)``.
    public static func + (time: ActionTime, duration: Duration) -> ActionTime { time.advanced(by: duration) }

    /// The time `duration` before `time`.
    public static func - (time: ActionTime, duration: Duration) -> ActionTime {
        // The smallest duration has no negative counterpart.
        let duration = max(duration, .seconds(-Int64.max))
        return time.advanced(by: .zero - duration)
    }

    /// The duration from the right time to the left one.
    public static func - (left: ActionTime, right: ActionTime) -> Duration { right.duration(to: left) }
}
