// SPDX-License-Identifier: Apache-2.0

import Millrace
import Testing

@testable import MillraceCLI

@Suite struct LogStateTests {
    /// A state in which producer 0 has defined one text of each kind, and events that use them.
    private func state(after events: [AccessEvent]) -> LogState {
        var state = LogState(producers: 1, maximumKeys: 10)
        for dimension in KeyDimension.allCases {
            let text = KeyText(bytes: Array("\(dimension)".utf8))
            state.define(KeyDefinition(text: text, number: 1, producer: 0, dimension: dimension))
        }
        events.forEach { state.count($0) }
        return state
    }

    private func event(_ size: UInt64, host: UInt32 = 1) -> AccessEvent {
        AccessEvent(size: size, host: host, path: 1, minute: 1, method: 1, status: 200, producer: 0)
    }

    @Test func eachDimensionHasItsOwnTable() {
        let state = state(after: [event(3), event(4, host: 0)])
        #expect(state.hosts.top(9).map { $0.key.repaired } == ["host"])
        #expect(state.paths.top(9).map { $0.key.repaired } == ["path"])
        #expect(state.minutes.top(9).map { $0.key.repaired } == ["minute"])
        #expect(state.methods.top(9).map { $0.key.repaired } == ["method"])
        #expect(state.hosts.other == 1)
        #expect(state.paths.other == 0)
        #expect(state.bytes == 7)
    }

    @Test func shardsAddUp() {
        let total = LogState.merged([state(after: [event(3)]), state(after: [event(4, host: 0), event(5)])])
        #expect(total.events == 3)
        #expect(total.bytes == 12)
        #expect(total.statuses[200] == 3)
        #expect(total.hosts.top(9) == [KeyCount(key: KeyText(bytes: Array("host".utf8)), count: 2)])
        #expect(total.hosts.other == 1)
        #expect(total.minutes.sortedByKey().map(\.count) == [3])
        #expect(LogState.merged([state(after: [event(.max)]), state(after: [event(1)])]).bytes == .max)
    }

    /// The table of all shards has no more room than that of one.
    @Test func shardsMayKnowVisitorsOfMinutesThatDidNotFit() throws {
        func shard(_ minutes: [String]) -> LogState {
            var state = LogState(producers: 1, maximumKeys: 2, hasPage: true)
            func define(_ text: String, _ number: Int, _ dimension: KeyDimension) {
                let text = KeyText(bytes: Array(text.utf8))
                state.define(KeyDefinition(text: text, number: UInt32(number), producer: 0, dimension: dimension))
            }
            for dimension in KeyDimension.allCases where dimension != .minute {
                define("\(dimension) of \(minutes[0])", 1, dimension)
            }
            for (place, minute) in zip(1..., minutes) {
                define(minute, place, .minute)
                var event = AccessEvent(
                    size: 1,
                    host: 1,
                    path: 1,
                    minute: UInt32(place),
                    method: 1,
                    status: 200,
                    producer: 0
                )
                event.client = 1
                state.count(event)
                state.countTraffic(event)
            }
            return state
        }
        let total = LogState.merged([
            shard(["2020-05-17T10:05Z", "2020-05-17T10:06Z"]), shard(["2010-05-17T10:05Z", "1990-05-17T10:05Z"]),
            shard(["2030-05-17T10:05Z"]),
        ])
        let traffic = try #require(total.traffic)
        #expect(traffic.minutes.compactMap(\.moment).count == 2)
        #expect(traffic.visitors.total == 4)
        let series = try #require(TimeSeries(traffic))
        #expect(series.buckets.map(\.requests).reduce(0, +) == 2)
        #expect(series.visitors.reduce(0, +) == 1)
    }

    @Test func bytesStopAtTheirMaximum() {
        #expect(state(after: [event(.max - 1), event(1)]).bytes == .max)
        #expect(state(after: [event(.max), event(1), event(5)]).bytes == .max)
    }

    /// The queue copies it for every line of the log.
    @Test func anEventIsSmallAndPlain() {
        #expect(MemoryLayout<AccessEvent>.stride == 32)
        #expect(_isPOD(AccessEvent.self))
        #expect(MemoryLayout<LogAction>.stride == 32)
    }

    @Test func enginesAreWhatTheirNamesSay() {
        #expect(EngineChoice.caller.engine() == .caller)
        #expect(EngineChoice.main.engine() == .main)
        #expect(EngineChoice.thread.engine() == .thread(name: "millrace", wait: .park))
        #expect(EngineChoice.queue.engine() != EngineChoice.queue.engine(), "each store has a queue of its own")
        #expect(![.caller, .main].contains(EngineChoice.queue.engine()))
    }
}
