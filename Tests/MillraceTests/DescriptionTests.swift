// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MillraceCore
import TestSupport
import Testing

@testable import Millrace

@Suite("What values print", .timeLimit(.minutes(5)))
struct DescriptionTests {
    @Test("a capacity is printed as it is written")
    func capacity() {
        #expect("\(StoreCapacity.unbounded)" == ".unbounded")
        #expect("\(StoreCapacity.bounded(8, overflow: .dropOldest))" == ".bounded(8, overflow: .dropOldest)")
    }

    @Test("a policy and the result of an offer are printed without their modules, also within an array")
    func rawValues() {
        #expect("\([OverflowPolicy.block])" == "[block]")
        #expect("\(OverflowPolicy.block)" == "block")
        #expect("\([OfferResult.accepted, .full])" == "[accepted, full]")
        #expect("\(OfferResult.closed)" == "closed")
    }

    @Test("a publication and a wait strategy are printed as they are written, with readable durations")
    func publication() {
        let publications: [Publication] = [.everyAction, .batch, .onDemand, .atMost(every: .milliseconds(1))]
        #expect(publications.map { "\($0)" } == [".everyAction", ".batch", ".onDemand", ".atMost(every: 1.00 ms)"])
        #expect("\(StoreEngine.thread())" == ".thread(wait: .spinThenPark(for: 50.0 µs))")
    }

    @Test("engines are the same if their queues are")
    func engines() {
        let queues = (0..<2).map { DispatchQueue(label: "engine \($0)") }
        let hosted = StoreEngine.hosted { CallerEngine(consumer: $0.consumer, core: $0.core) }
        let all: [StoreEngine] = [.queue(queues[0]), .queue(queues[1]), .caller, .main, hosted]
        #expect(Set(all + all).count == 5)
        #expect(Set(all).contains(.queue(queues[1])))
    }

    @Test("the metrics name each number")
    func metrics() {
        var metrics = StoreMetrics()
        (metrics.offered, metrics.reduced, metrics.batches, metrics.queueSegments) = (9_000, 9_000, 3, 1)
        (metrics.highWaterMark, metrics.ageOfOldest) = (8_528, .nanoseconds(400))
        #expect(
            "\(metrics)" == """
                offered 9000, reduced 9000, dropped 0, rejected 0, cancelled 0, pending 0; urgent 0, internal 0; \
                depth 0, largest depth 8,528 slots, age of the oldest action 400 ns; batches 3, wake-ups 0, stalled \
                producers 0, queue segments 1
                """
        )
    }

    @Test("the report of a shutdown has a readable duration")
    func shutdown() {
        let report = ShutdownReport(
            isComplete: true,
            reduced: 1,
            dropped: 0,
            rejected: 0,
            pending: 0,
            droppedHeld: 0,
            held: 0,
            stuckHandler: nil,
            readers: [],
            elapsed: .nanoseconds(50_718_248),
            metrics: StoreMetrics()
        )
        #expect("\(report)" == "shutdown complete after 50.7 ms: reduced 1, dropped 0, rejected 0, pending 0")
    }

    @Test("a store prints its type, engine, capacity and metrics, and not its state")
    func store() {
        final class NumberStore: ReduxStoreBase<Int, Int>, @unchecked Sendable {}
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            engine: .caller,
            capacity: .bounded(8, overflow: .dropNewest)
        )
        store.dispatch(4_711)
        let text = "\(store)"
        #expect(
            text.hasPrefix(
                """
                ReduxStoreBase<Int, Int>, engine .caller, capacity .bounded(8, overflow: .dropNewest): offered 1, \
                reduced 1, dropped 0
                """
            )
        )
        #expect(!text.contains("4711"))
        #expect("\(NumberStore(initialState: 0, reducer: counting(Int.self)))".hasPrefix("NumberStore, engine .thread"))
    }

    @Test("plugins print their names")
    func plugins() async throws {
        let store = ReduxStoreBase(initialState: 0, reducer: counting(Int.self), engine: .caller)
        #expect("\(store.plugins)" == "no plugins")
        try await store.plugins.install(IdentityMiddleware<Int, Int, Int>(), as: "audit")
        try await store.plugins.install(IdentityMiddleware<Int, Int, Int>(), as: "quiet")
        try await store.plugins.disable("quiet")
        #expect("\(store.plugins)" == "audit, quiet (disabled)")
    }
}
