// SPDX-License-Identifier: Apache-2.0

/// Counts visitors. A visitor is one client address with one user agent on one day (UTC), whatever the order of the
/// lines. ``Traffic`` leaves out requests with a status of 4xx, as GoAccess does.
///
/// The counts do not depend on the order in which events arrive. The memory is bounded: a full table adds no further
/// visitor, and ``uncounted`` is the number of events of clients that did not fit.
struct Visitors: Sendable {
    /// The number of visitors by day, and of clients by hour, both since 1970.
    private(set) var byDay: [Int64: UInt64] = [:]
    private(set) var byHour: [Int64: UInt64] = [:]
    /// The events of clients that did not fit.
    private(set) var uncounted: UInt64 = 0

    private let maximum: Int
    /// The number of each client: an address and a user agent.
    private var numbers: [UInt64: UInt32] = [:]
    /// The last hour in which each client was seen, by its number. Most events need no more than that.
    private var lastHours: ContiguousArray<Int64> = []
    private var days: Set<Pair> = []
    private var hours: Set<Pair> = []

    private struct Pair: Hashable {
        var client: UInt32
        var time: Int64
    }

    init(maximum: Int) {
        self.maximum = maximum
    }

    /// The visitors of all days.
    var total: UInt64 { byDay.values.reduce(0, &+) }

    /// Counts an event. The host and the agent are indices, of which 0 stands for those that did not fit.
    mutating func count(host: UInt32, agent: UInt32, minute: Int64?) {
        guard host > 0, agent > 0, let minute, let client = number(of: UInt64(host) << 32 | UInt64(agent)) else {
            uncounted &+= 1
            return
        }
        let hour = Self.floor(minute, 60)
        guard lastHours[Int(client)] != hour else { return }
        guard hours.count < maximum || hours.contains(Pair(client: client, time: hour)) else {
            uncounted &+= 1
            return
        }
        lastHours[Int(client)] = hour
        guard hours.insert(Pair(client: client, time: hour)).inserted else { return }
        byHour[hour, default: 0] &+= 1
        let day = Self.floor(hour, 24)
        if days.insert(Pair(client: client, time: day)).inserted { byDay[day, default: 0] &+= 1 }
    }

    /// Adds the visitors of another store, which has other hosts.
    mutating func add(_ other: Visitors) {
        byDay.merge(other.byDay) { $0 &+ $1 }
        byHour.merge(other.byHour) { $0 &+ $1 }
        uncounted &+= other.uncounted
    }

    private mutating func number(of key: UInt64) -> UInt32? {
        if let known = numbers[key] { return known }
        guard lastHours.count < maximum else { return nil }
        let number = UInt32(lastHours.count)
        numbers[key] = number
        lastHours.append(.min)
        return number
    }

    private static func floor(_ value: Int64, _ unit: Int64) -> Int64 {
        value >= 0 ? value / unit : (value - unit + 1) / unit
    }
}
