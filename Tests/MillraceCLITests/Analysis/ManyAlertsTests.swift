// SPDX-License-Identifier: Apache-2.0

import Millrace
import Testing

@testable import MillraceCLI

/// What alerts cost does not grow with how many there are.
@Suite struct ManyAlertsTests {
    private static func define(_ minute: UInt32) -> LogAction {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: minute >> (8 * UInt32($0))) }
        return .define(KeyDefinition(text: KeyText(bytes: bytes), number: minute, producer: 0, dimension: .minute))
    }

    private static func event(_ minute: UInt32, status: UInt16 = 500) -> LogAction {
        .event(AccessEvent(size: 1, host: 0, path: 0, minute: minute, method: 0, status: status, producer: 0))
    }

    private static func chunk(_ number: Int) -> LogAction {
        .chunkRead(ChunkSummary(chunk: UInt64(number), lines: 1, input: 0, pass: 0))
    }

    /// With a search through all alerts at each one these are ten thousand million steps, minutes even where they are
    /// fast.
    @Test(.timeLimit(.minutes(5)))
    func manyAreRaisedAndLowered() {
        var state = LogState(producers: 1, maximumKeys: 1_000_000)
        let count: UInt32 = 100_000
        func alert(_ minute: UInt32, _ events: UInt64) -> Alert {
            Alert(text: KeyText(bytes: []), events: events, failures: events, minute: minute)
        }
        for events in [10, 20] as [UInt64] {
            for minute in 1...count { state.raise(alert(minute, events)) }
        }
        #expect(state.alerts.count == Int(count) && state.alerts.allSatisfy { $0.events == 20 })
        for minute in (1...count).reversed() where minute % 2 == 0 { state.lower(minute) }
        #expect(state.alerts.count == Int(count) / 2)
        #expect(state.raisedAlert(1) != nil && state.raisedAlert(2) == nil && state.raisedAlert(count - 1) != nil)
    }

    @Test func onlyMinutesThatChangedAreLookedAt() {
        let store = LogStore(
            initialState: LogState(producers: 1, maximumKeys: 1000),
            reducer: .accessLog,
            engine: .caller
        )
        for minute in 1...100 as ClosedRange<UInt32> { store.dispatch(Self.define(minute)) }
        func changed(_ minutes: [UInt32], _ end: LogAction) -> [UInt32] {
            store.dispatch(contentsOf: minutes.map { Self.event($0) })
            store.dispatch(end)
            return Array(store.state.changedMinutes)
        }
        #expect(changed([3, 3, 7, 3, 0, 7, 99], Self.chunk(0)) == [3, 7, 99])
        // Also the one that was the last before.
        #expect(changed([99, 5], Self.chunk(1)) == [99, 5])
        #expect(changed([], Self.chunk(2)) == [])
        #expect(changed([3], .inputEnded) == [3])
    }

    /// A chunk a minute, as in a log over years that few read: a look at all minutes at each chunk is quadratic, too.
    @Test(.timeLimit(.minutes(5)))
    func manyMinutesInManyChunks() async {
        let watch = AlertWatch(above: AlertRate(argument: "0")!, quiet: .zero).middleware
        let store = LogStore(
            initialState: LogState(producers: 1, maximumKeys: 1_000_000),
            reducer: .accessLog,
            middleware: watch
        )
        let count: UInt32 = 4_000
        for minute in 1...count {
            store.dispatch(Self.define(minute))
            store.dispatch(contentsOf: Array(repeating: Self.event(minute), count: 10))
            store.dispatch(Self.chunk(Int(minute) - 1))
        }
        await store.drain()
        while watch.runningEffects > 0 { await Task.yield() }
        for _ in 1...2 { await store.drain() }
        #expect(store.state.alerts.count == Int(count))
        let minutes = (1...count).filter { $0 % 2 == 0 }
        for (index, minute) in minutes.enumerated() {
            store.dispatch(contentsOf: Array(repeating: Self.event(minute, status: 200), count: 1))
            store.dispatch(Self.chunk(Int(count) + index))
        }
        await store.drain()
        // Above 0 is any failure, so none recovers; each alert tells of the events that came later.
        while watch.runningEffects > 0 { await Task.yield() }
        for _ in 1...2 { await store.drain() }
        #expect(store.state.alerts.count == Int(count))
        #expect(store.state.alerts.allSatisfy { $0.events == ($0.minute % 2 == 0 ? 11 : 10) })
    }
}
