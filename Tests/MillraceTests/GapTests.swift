// SPDX-License-Identifier: Apache-2.0

import CMillrace
import Dispatch
import Glibc
import TestSupport
import Testing

@testable import Millrace

/// While one producer is stopped between claim and publication, the store goes on with the actions of the others.
@Suite("A producer that is stopped, and what comes behind it", .serialized, .timeLimit(.minutes(5)))
struct GapTests {
    private typealias Tagged = GuaranteeTests.Tagged

    private func make(
        _ engine: StoreEngine,
        _ capacity: StoreCapacity = .unbounded,
        _ publication: Publication = .batch
    ) -> ReduxStoreBase<Tagged, [Tagged]> {
        ReduxStoreBase(
            initialState: [],
            reducer: .reduce { action, log in log.append(action) },
            engine: engine,
            publication: publication,
            capacity: capacity
        )
    }

    private static let stopped = Tagged(producer: -1, number: 0)

    @Test("all actions behind it are reduced meanwhile, once each, in the order of each thread", arguments: engines)
    func goesOn(engine: StoreEngine) async {
        // Not `.batch`: no old state is freed while the producer is stopped.
        let store = make(engine, .unbounded, .onDemand)
        let (threads, each) = (4, isSanitized ? 1_000 : 5_000)
        store.dispatch(Tagged(producer: 9, number: 0))
        await store.drain()
        let producer = StoppedProducer(store.core.queue.raw, Self.stopped)
        onThreads(threads) { producer in
            for number in 0..<each { store.dispatch(Tagged(producer: producer, number: number)) }
        }
        #expect(await eventually { store.metrics.reduced == UInt64(1 + threads * each) })
        let metrics = store.metrics
        #expect(metrics.pending == 1, "the slot of the stopped producer")
        #expect(metrics.depth == 1)
        #expect(metrics.stalledProducer > 0)
        producer.publish(to: store.core)
        await store.drain()
        let log = store.state
        #expect(log.count == 2 + threads * each)
        #expect(log.last == Self.stopped)
        for producer in 0..<threads {
            #expect(log.filter { $0.producer == producer }.map(\.number) == Array(0..<each))
        }
        expectBalance(store.metrics, offered: UInt64(2 + threads * each), reduced: UInt64(2 + threads * each))
    }

    @Test("runs of actions keep their order, behind several stopped producers", arguments: engines)
    func runs(engine: StoreEngine) async {
        let store = make(engine, .unbounded, .onDemand)
        var producers: [StoppedProducer] = []
        let (rounds, each) = (8, 600)
        for round in 0..<rounds {
            producers.append(StoppedProducer(store.core.queue.raw, Tagged(producer: -1, number: round)))
            store.dispatch(contentsOf: (0..<each).map { Tagged(producer: 0, number: round * each + $0) })
        }
        #expect(await eventually { store.metrics.reduced == UInt64(rounds * each) })
        // The youngest ones first: each is handled at once, though older ones are still stopped.
        for producer in producers.reversed() {
            let before = store.metrics.reduced
            producer.publish(to: store.core)
            #expect(await eventually { store.metrics.reduced == before + 1 })
        }
        await store.drain()
        let log = store.state
        #expect(log.filter { $0.producer == 0 }.map(\.number) == Array(0..<rounds * each))
        #expect(log.suffix(rounds).map(\.number) == (0..<rounds).reversed())
    }

    @Test("a message keeps its place: what is behind it waits with it", arguments: engines)
    func messages(engine: StoreEngine) async throws {
        let (store, delivered) = (make(engine), Shared<Int?>(nil))
        let producer = StoppedProducer(store.core.queue.raw, Self.stopped)
        store.dispatch(Tagged(producer: 0, number: 0))
        #expect(store.core.send { delivered.value = store.core.cell.live.pointee.count })
        store.dispatch(Tagged(producer: 0, number: 1))
        #expect(await eventually { store.metrics.reduced == 1 })
        store.dispatch(Tagged(producer: 0, number: 2))
        // Time enough to handle them, if that were allowed.
        try await Task.sleep(for: .milliseconds(50))
        #expect(store.metrics.reduced == 1 && delivered.value == nil)
        producer.publish(to: store.core)
        await store.drain()
        #expect(delivered.value == 2)
        #expect(
            store.state == [Tagged(producer: 0, number: 0), Self.stopped]
                + (1...2).map { Tagged(producer: 0, number: $0) }
        )
    }

    @Test(
        "a thread reads the state of its own actions meanwhile",
        arguments: [StoreEngine.caller, .thread(wait: .park)]
    )
    func ownActions(engine: StoreEngine) async {
        // Not `.onDemand`: there a read sends a message, which keeps its place.
        for publication in [Publication.everyAction, .batch] {
            let store = make(engine, .unbounded, publication)
            let producer = StoppedProducer(store.core.queue.raw, Self.stopped)
            for number in 0..<100 {
                store.dispatch(Tagged(producer: 0, number: number))
                if engine == .caller { #expect(store.state.count == number + 1) }
            }
            #expect(await eventually { store.state.count == 100 })
            producer.publish(to: store.core)
            #expect(await eventually { store.state.count == 101 })
        }
    }

    @MainActor
    @Test("a dispatch on the main queue returns when its own action was reduced")
    func onMain() async {
        let store = make(.main)
        let producer = StoppedProducer(store.core.queue.raw, Self.stopped)
        // If a dispatch waited for the producer, its action would come last.
        onNewThread {
            usleep(2_000_000)
            producer.publish()
        }
        for number in 0..<3 {
            store.dispatch(Tagged(producer: 0, number: number))
            #expect(store.state.count == number + 1)
        }
        #expect(await eventually { store.core.queue.raw.hasReady || store.state.count == 4 })
        await store.drain()
        #expect(store.state.last == Self.stopped && store.state.count == 4)
    }

    @Test("in a bounded store, what was handled gives its room back meanwhile", arguments: engines)
    func bounded(engine: StoreEngine) async throws {
        for overflow in [OverflowPolicy.block, .dropNewest, .dropOldest] {
            let store = make(engine, .bounded(4, overflow: overflow))
            let producer = StoppedProducer(store.core.queue.raw, Self.stopped)
            for number in 0..<100 {
                try await store.send(Tagged(producer: 0, number: number))
                #expect(await eventually { store.metrics.reduced == UInt64(number + 1) })
            }
            producer.publish(to: store.core)
            await store.drain()
            expectBalance(store.metrics, offered: 101, reduced: 101)
            #expect(store.state.filter { $0.producer == 0 }.map(\.number) == Array(0..<100))
        }
    }

    @Test("what was handled does not count as the oldest action when a full store drops some")
    func dropsOldest() async {
        let (mayGoOn, isInside) = (DispatchSemaphore(value: 0), Shared(false))
        let store = ReduxStoreBase(
            initialState: [Int](),
            reducer: .reduce { (action: Int, log: inout [Int]) in log.append(action) },
            middleware: Handle<Int, [Int]> { action, _, _ in
                if action == 0 {
                    isInside.value = true
                    mayGoOn.wait()
                }
                return .pure()
            },
            engine: .thread(wait: .park),
            capacity: .bounded(4, overflow: .dropOldest)
        )
        let producer = StoppedProducer(store.core.queue.raw, -1)
        store.dispatch(0)
        #expect(await eventually { isInside.value })
        for action in 1...6 { store.dispatch(action) }
        producer.publish(to: store.core)
        mayGoOn.signal()
        await store.drain()
        // Eight slots, of which one was handled: three more than there is room for.
        #expect(store.state == [0, 3, 4, 5, 6])
        expectBalance(store.metrics, offered: 8, reduced: 5, dropped: 3)
    }

    @Test("a probe is told of each action once", arguments: [1, 4])
    func probed(oneIn rate: Int) async {
        let store = make(.thread(wait: .park), .unbounded, .onDemand)
        let probe = ProbeSamplingTests.Sampler(oneIn: rate)
        store.setProbe(probe)
        await store.drain()
        let producer = StoppedProducer(store.core.queue.raw, Self.stopped)
        for number in 0..<1_000 { store.dispatch(Tagged(producer: 0, number: number)) }
        #expect(await eventually { store.metrics.reduced == 1_000 })
        producer.publish(to: store.core)
        await store.drain()
        let told = probe.began.count
        #expect(rate == 1 ? told == 1_001 : (200...300).contains(told))
        #expect(Set(probe.began.all.map(\.number)).count == told)
    }

    // One engine: the producer keeps all stores of the process from ending.
    @Test("a store that is abandoned drops what is behind it, too, and then rests")
    func abandoned() async {
        let (mayGoOn, isInside) = (DispatchSemaphore(value: 0), Shared(false))
        let store = ReduxStoreBase(
            initialState: [Int](),
            reducer: .reduce { (action: Int, log: inout [Int]) in log.append(action) },
            middleware: Handle<Int, [Int]> { action, _, _ in
                if action == 1 {
                    isInside.value = true
                    mayGoOn.wait()
                }
                return .pure()
            },
            engine: .thread(wait: .park)
        )
        let producer = StoppedProducer(store.core.queue.raw, 0, staysInSection: true)
        onNewThread { for action in 1...600 { store.dispatch(action) } }
        #expect(await eventually { isInside.value && store.metrics.offered == 601 })
        let report = await store.shutdown(deadline: .milliseconds(20))
        #expect(!report.isComplete)
        mayGoOn.signal()
        // Before the producer goes on.
        #expect(await eventually { store.metrics.pending <= 1 })
        let batches = store.metrics.stalledProducer
        #expect(store.metrics.reduced == 1)
        producer.publish(to: store.core)
        let last = await store.shutdown()
        #expect(last.isComplete && last.metrics.pending == 0 && last.metrics.reduced <= 2)
        #expect(batches < 10_000, "it did not look again and again")
    }

    @Test("a producer that has ended there: the store closes, and has handled what is behind it", arguments: engines)
    func ended(engine: StoreEngine) async {
        let store = make(engine)
        millrace_read_begin()
        var claim = millrace_claim()
        #expect(millrace_queue_claim(store.core.queue.raw.pointer, 1, &claim) == MILLRACE_OK)
        millrace_read_end()
        for number in 0..<10 { store.dispatch(Tagged(producer: 0, number: number)) }
        #expect(await eventually { store.metrics.reduced == 10 })
        let report = await store.shutdown()
        #expect(report.isCompleteButForReaders && report.metrics.reduced == 10 && report.metrics.dropped == 1)
        #expect(store.state.map(\.number) == Array(0..<10))
    }
}
