// SPDX-License-Identifier: Apache-2.0

import MillraceRecords

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
        value >= 0 ? value / unit : (value + 1) / unit - 1
    }
}

extension Visitors {
    /// Writes the visitors of one store for a snapshot, in an order that depends on nothing else.
    func write(to output: inout RecordBuffer) {
        output.append(UInt64(maximum))
        output.append(uncounted)
        output.append(contentsOf: ContiguousArray(numbers.sorted { $0.value < $1.value }.map(\.key)))
        output.append(contentsOf: lastHours)
        for pairs in [days, hours] {
            output.append(UInt64(pairs.count))
            for pair in pairs.sorted(by: { ($0.client, $0.time) < ($1.client, $1.time) }) {
                output.append(pair.client)
                output.append(pair.time)
            }
        }
    }

    /// Reads visitors from a snapshot.
    init(_ bytes: inout StateBytes) throws(CodecError) {
        self.init(maximum: try bytes.count())
        uncounted = try bytes.next()
        let keys = try bytes.array(of: UInt64.self)
        for (number, key) in keys.enumerated() { numbers[key] = UInt32(truncatingIfNeeded: number) }
        guard numbers.count == keys.count else { throw bytes.damaged("a visitor twice") }
        lastHours = try bytes.array(of: Int64.self, count: keys.count)
        days = try Self.pairs(&bytes)
        hours = try Self.pairs(&bytes)
        for pair in days { byDay[pair.time, default: 0] &+= 1 }
        for pair in hours { byHour[pair.time, default: 0] &+= 1 }
    }

    private static func pairs(_ bytes: inout StateBytes) throws(CodecError) -> Set<Pair> {
        var pairs: Set<Pair> = []
        for _ in 0..<(try bytes.count()) {
            pairs.insert(Pair(client: try bytes.next(), time: try bytes.next()))
        }
        return pairs
    }
}
