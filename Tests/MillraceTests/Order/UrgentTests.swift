// SPDX-License-Identifier: Apache-2.0

import CMillrace
import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import Millrace

@Suite("Urgent actions", .timeLimit(.minutes(5)))
struct UrgentTests {
    /// A store that waits at the action 0, so that others queue behind it.
    private func heldStore(
        _ engine: StoreEngine,
        capacity: StoreCapacity = .unbounded
    ) -> (ReduxStoreBase<Int, [Int]>, hold: DispatchSemaphore) {
        let hold = DispatchSemaphore(value: 0)
        let store = ReduxStoreBase(
            initialState: [Int](),
            reducer: Reducer<Int, [Int]>.reduce { action, log in log.append(action) },
            middleware: Handle<Int, [Int]> { action, _, _ in
                if action == 0 { hold.wait() }
                return .pure()
            },
            engine: engine,
            capacity: capacity
        )
        return (store, hold)
    }

    private func hold(_ store: ReduxStoreBase<Int, [Int]>) async {
        onNewThread { store.dispatch(0) }
        #expect(await eventually { store.core.cell.stage.number == 1 })
    }

    @Test("is reduced next, not after those that wait; first in, first out", arguments: engines)
    func comesNext(engine: StoreEngine) async {
        let (store, gate) = heldStore(engine)
        await hold(store)
        for number in 1...5_000 { store.dispatch(number) }
        #expect(store.dispatch(urgent: -1) == .accepted)
        #expect(store.dispatch(urgent: -2) == .accepted)
        #expect(store.metrics.pending == 5_003)
        gate.signal()
        #expect(await eventually { store.metrics.pending == 0 })
        await store.drain()
        #expect(store.state == [0, -1, -2] + (1...5_000))
        #expect(store.metrics.urgentActions == 2)
        #expect(store.metrics.offered == 5_003)
    }

    @Test("comes before internal actions")
    func beforeInternal() async {
        let store = ReduxStoreBase(
            initialState: [Int](),
            reducer: Reducer<Int, [Int]>.reduce { action, log in log.append(action) },
            middleware: Handle<Int, [Int]> { action, _, _ in
                guard action == 1 else { return .pure() }
                return IO { output in
                    output.dispatch(2)
                    output.dispatch(urgent: 3)
                    output.dispatch(4)
                    output.dispatch(urgent: 5)
                }
            },
            engine: .caller,
            order: .internalFirst
        )
        store.dispatch(1)
        #expect(await eventually { store.metrics.pending == 0 })
        await store.drain()
        #expect(store.state == [1, 3, 5, 2, 4])
    }

    @Test("wakes an idle store", arguments: engines)
    func wakes(engine: StoreEngine) async throws {
        let (store, _) = heldStore(engine)
        for number in 1...20 {
            // Long enough for the thread to fall asleep, at least sometimes.
            if number % 5 == 0 { try await Task.sleep(for: .milliseconds(20)) }
            #expect(store.dispatch(urgent: number) == .accepted)
            #expect(await eventually { store.metrics.reduced == UInt64(number) })
        }
        await store.drain()
        #expect(store.state == Array(1...20))
    }

    @Test("a drain that begins later waits for it", arguments: engines)
    func drained(engine: StoreEngine) async {
        let (store, _) = heldStore(engine)
        for number in 1...500 {
            store.dispatch(urgent: number)
            await store.drain()
            #expect(store.withState { $0.count } == number)
        }
    }

    @Test("the capacity does not apply to it, and it takes no place", arguments: OverflowPolicy.allCases)
    func capacity(overflow: OverflowPolicy) async {
        let (store, gate) = heldStore(.thread(), capacity: .bounded(2, overflow: overflow))
        await hold(store)
        // The action 0 is in the queue until it is finished.
        store.dispatch(1)
        for number in 1...100 { #expect(store.dispatch(urgent: -number) == .accepted) }
        #expect(store.offer(2) == .full)
        #expect(store.metrics.depth == 2)
        gate.signal()
        #expect(await eventually { store.metrics.pending == 0 })
        await store.drain()
        #expect(store.state == [0] + (1...100).map { -$0 } + [1])
        #expect(store.metrics.dropped == 0)
    }

    @Test("a closed store rejects it and says so", arguments: engines)
    func closed(engine: StoreEngine) async {
        let (store, _) = heldStore(engine)
        store.dispatch(urgent: 1)
        store.close()
        #expect(store.dispatch(urgent: 2) == .closed)
        #expect(await store.shutdown().isCompleteButForReaders)
        #expect(store.dispatch(urgent: 3) == .closed)
        #expect(store.metrics.rejected == 2)
        #expect(store.metrics.reduced == 1)
    }

    @Test("a released store finishes it", arguments: engines)
    func released(engine: StoreEngine) async {
        let reduced = Recorder<Int>()
        let reducer = Reducer<Int, Int>.reduce { action, _ in reduced.record(action) }
        for _ in 0..<50 {
            let store = ReduxStoreBase(initialState: 0, reducer: reducer, engine: engine)
            store.dispatch(1)
            store.dispatch(urgent: 2)
        }
        #expect(await eventually { reduced.count == 100 })
    }

    @Test("the deadline of a shutdown drops it, and counts it")
    func deadline() async {
        let (store, gate) = heldStore(.thread())
        await hold(store)
        store.dispatch(1)
        store.dispatch(urgent: 2)
        let shutdown = Task { await store.shutdown(deadline: .milliseconds(10)) }
        #expect(await eventually { store.core.consumer.isAbandoned })
        gate.signal()
        _ = await shutdown.value
        #expect(await store.shutdown().isCompleteButForReaders)
        #expect(store.metrics.dropped == 2)
        #expect(store.metrics.pending == 0)
    }

    @Test("the end finds an urgent action whose producer has not set the mark yet")
    func unmarked() throws {
        let core = StoreCore<Int, [Int]>(
            state: [],
            emitsValue: .always,
            publication: .onDemand,
            capacity: .unbounded,
            order: .fifo
        )
        let reducer = Reducer<Int, [Int]>.reduce { action, log in log.append(action) }
        core.install(Pipeline(middleware: IdentityMiddleware<Int, Int, [Int]>(), reducer: reducer, core: core))
        let urgent = try #require(ActionQueue<Int>())
        _ = core.consumer.urgent.adopt(urgent.raw)
        withExtendedLifetime(core) {
            _ = urgent.push(7, source: .here(), cause: .none, run: nil, flags: 0, admits: { true })
            _ = core.consumer.lifecycle.close(isOnlyReference: true)
            core.consumer.end(withinFrame(of: core) { core.consumer.finish() })
            #expect(core.cell.live.pointee == [7])
            #expect(core.metrics.pending == 0)
        }
    }

    @Test("a store without urgent actions has no queue for them")
    func costsNothing() async {
        let (store, _) = heldStore(.caller)
        store.dispatch(1)
        #expect(store.core.consumer.urgent.queue == nil)
        store.dispatch(urgent: 2)
        #expect(store.core.consumer.urgent.queue != nil)
    }

    @Test("passes through lifts, contramaps and elements")
    func lifted() async {
        struct Element: Sendable, Identifiable { let id: Int }
        enum Action: Sendable { case element(Int, Int), plain(Int) }
        struct Start: MiddlewareProtocol {
            func handle(action: Int, from: ActionSource, state: @escaping GetState<Element>) -> IO<Int> {
                action == 1 ? IO { output in output.contramap { $0 }.dispatch(urgent: 2) } : .pure()
            }
        }
        let hold = DispatchSemaphore(value: 0)
        let lifted = Start().liftToCollection(
            inputAction: { (action: Action) -> ElementIDAction<Int, Int>? in
                if case .element(let id, let action) = action { ElementIDAction(id: id, action: action) } else { nil }
            },
            outputAction: { (action: ElementIDAction<Int, Int>) in Action.element(action.id, action.action) },
            state: { (elements: [Element]) in elements }
        )
        let log = Recorder<Int>()
        let store = ReduxStoreBase(
            initialState: [Element(id: 7)],
            reducer: Reducer<Action, [Element]>.reduce { action, _ in
                switch action {
                case .element(_, let number), .plain(let number): log.record(number)
                }
            },
            middleware: Handle<Action, [Element]> { action, _, _ in
                if case .plain(0) = action { hold.wait() }
                return .pure()
            } <> lifted
        )
        store.dispatch(.plain(0))
        store.dispatch(.element(7, 1))
        store.dispatch(.plain(9))
        hold.signal()
        #expect(await eventually { store.metrics.pending == 0 })
        await store.drain()
        #expect(log.all == [0, 1, 2, 9])
        #expect(store.metrics.urgentActions == 1)
    }

    @Test("many threads: each action is reduced once, urgent ones of a thread in order", arguments: engines)
    func stress(engine: StoreEngine) async {
        let (threads, each) = (4, isSanitized ? 2_000 : 20_000)
        let store = ReduxStoreBase(
            initialState: [[Int]](repeating: [], count: 2 * threads),
            reducer: Reducer<(lane: Int, number: Int), [[Int]]>.reduce { action, lanes in
                lanes[action.lane].append(action.number)
            },
            engine: engine,
            publication: .onDemand
        )
        await elsewhere {
            onThreads(threads) { thread in
                for number in 0..<each {
                    if number % 3 == 0 {
                        store.dispatch(urgent: (threads + thread, number))
                    } else {
                        store.dispatch((thread, number))
                    }
                }
            }
        }
        await store.drain()
        for thread in 0..<threads {
            let (all, urgent) = store.withState { ($0[thread], $0[threads + thread]) }
            #expect(all == (0..<each).filter { $0 % 3 != 0 })
            #expect(urgent == (0..<each).filter { $0 % 3 == 0 })
        }
        #expect(store.metrics.pending == 0)
    }

    @Test("a sharded store hands it to the shard of its key")
    func sharded() async {
        let store = ShardedStore(
            shards: 4,
            by: { (number: Int) in number },
            initialState: { _ in [Int]() },
            reducer: Reducer<Int, [Int]>.reduce { action, log in log.append(action) },
            middleware: { _ in
                Handle<Int, [Int]> { action, _, _ in
                    action < 100 ? IO { $0.dispatch(urgent: action + 100) } : .pure()
                }
            }
        )
        for number in 0..<100 { #expect(store.dispatch(urgent: number) == .accepted) }
        #expect(await eventually { store.metrics.reduced == 200 })
        await store.drain()
        #expect(store.states.flatMap { $0 }.sorted() == Array(0..<200))
        for (shard, state) in store.states.enumerated() {
            #expect(state.allSatisfy { store.indexOfKey($0) == shard })
        }
        #expect(store.metrics.urgentActions == 200)
        _ = await store.shutdown()
        #expect(store.dispatch(urgent: 1) == .closed)
    }

    @Test("a drain waits for an urgent action that is claimed and not published yet")
    func drainOfAClaim() throws {
        let core = StoreCore<Int, [Int]>(
            state: [],
            emitsValue: .always,
            publication: .onDemand,
            capacity: .unbounded,
            order: .fifo
        )
        let reducer = Reducer<Int, [Int]>.reduce { action, log in log.append(action) }
        core.install(Pipeline(middleware: IdentityMiddleware<Int, Int, [Int]>(), reducer: reducer, core: core))
        let urgent = try #require(ActionQueue<Int>())
        _ = core.consumer.urgent.adopt(urgent.raw)
        let isPassed = Shared(false)
        withExtendedLifetime(core) {
            var claim = millrace_claim()
            ReadSection.begin()
            #expect(millrace_queue_claim(urgent.raw.pointer, 1, &claim) == MILLRACE_OK)
            ReadSection.end()
            #expect(core.sendBarrier(.handled) { isPassed.value = true })
            _ = withinFrame(of: core) { core.consumer.drainOnce() }
            #expect(!isPassed.value)
        }
    }

    @Test("one that an internal action dispatches comes before the next internal action")
    func duringAnInternalOne() {
        let store = ReduxStoreBase(
            initialState: [Int](),
            reducer: Reducer<Int, [Int]>.reduce { action, log in log.append(action) },
            middleware: Handle<Int, [Int]> { action, _, _ in
                switch action {
                case 1:
                    IO { output in
                        output.dispatch(2)
                        output.dispatch(4)
                    }
                case 2: IO { $0.dispatch(urgent: 3) }
                default: .pure()
                }
            },
            engine: .caller,
            order: .internalFirst
        )
        store.dispatch(1)
        #expect(store.metrics.reduced == 4)
        #expect(store.state == [1, 2, 3, 4])
    }
}
