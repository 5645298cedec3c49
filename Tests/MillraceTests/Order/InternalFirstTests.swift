// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MillraceRuntime
import Synchronization
import TestSupport
import Testing

@testable import Millrace

@Suite("ActionOrder.internalFirst", .timeLimit(.minutes(5)))
struct InternalFirstTests {
    typealias Log = [String]

    private let logging = Reducer<String, Log>.reduce { action, log in log.append(action) }

    /// A store whose first action waits until the test lets it go on.
    private func heldStore(
        _ engine: StoreEngine,
        _ order: ActionOrder = .internalFirst,
        capacity: StoreCapacity = .unbounded,
        children: [String: [String]]
    ) -> (ReduxStoreBase<String, Log>, hold: DispatchSemaphore) {
        let hold = DispatchSemaphore(value: 0)
        let store = ReduxStoreBase(
            initialState: Log(),
            reducer: logging,
            middleware: Handle<String, Log> { action, _, _ in
                if action == "hold" { hold.wait() }
                guard let next = children[action] else { return .pure() }
                return IO { output in for child in next { output.dispatch(child) } }
            },
            engine: engine,
            capacity: capacity,
            order: order
        )
        return (store, hold)
    }

    /// Dispatches from a thread of its own, as the dispatch may run the pipeline.
    private func hold(_ store: ReduxStoreBase<String, Log>) async {
        onNewThread { store.dispatch("hold") }
        #expect(await eventually { store.metrics.offered >= 1 })
    }

    @Test("what an action causes comes before the next from outside, first in, first out", arguments: engines)
    func order(engine: StoreEngine) async {
        let children = ["A": ["B", "C"], "B": ["D"]]
        let (store, gate) = heldStore(engine, children: children)
        await hold(store)
        store.dispatch("A")
        store.dispatch("X")
        store.dispatch("Y")
        gate.signal()
        #expect(await eventually { store.metrics.pending == 0 })
        await store.drain()
        #expect(store.state == ["hold", "A", "B", "C", "D", "X", "Y"])
        #expect(store.metrics.internalActions == 3)
        #expect(store.metrics.offered == 7)
    }

    @Test("dispatch(contentsOf:), or with an intended time, by the pipeline is internal, too", arguments: engines)
    func otherForms(engine: StoreEngine) async {
        let holder = Shared<ReduxStoreBase<String, Log>?>(nil)
        let store = ReduxStoreBase(
            initialState: Log(),
            reducer: logging,
            middleware: Handle<String, Log> { action, _, _ in
                guard action == "A" else { return .pure() }
                return IO { _ in
                    holder.value?.dispatch(contentsOf: ["B", "C"])
                    holder.value?.dispatch(DispatchedAction("D"), intendedAt: .now)
                }
            },
            engine: engine,
            order: .internalFirst
        )
        holder.value = store
        store.dispatch(contentsOf: ["A", "X"])
        await store.drain()
        #expect(store.state == ["A", "B", "C", "D", "X"])
        #expect(store.metrics.internalActions == 3)
        holder.value = nil
    }

    @Test("with .fifo the same actions go to the tail")
    func fifo() async {
        let (store, gate) = heldStore(.thread(), .fifo, children: ["A": ["B", "C"], "B": ["D"]])
        await hold(store)
        store.dispatch("A")
        store.dispatch("X")
        store.dispatch("Y")
        gate.signal()
        #expect(await eventually { store.metrics.pending == 0 })
        await store.drain()
        #expect(store.state == ["hold", "A", "X", "Y", "B", "C", "D"])
        #expect(store.metrics.internalActions == 0)
    }

    @Test("what handle, afterReduce and a subscriber dispatch is internal", arguments: engines)
    func whoDispatches(engine: StoreEngine) async {
        let holder = Shared<ReduxStoreBase<String, Log>?>(nil)
        let (gate, entered) = (DispatchSemaphore(value: 0), Shared(false))
        struct Dispatching: MiddlewareProtocol {
            let holder: Shared<ReduxStoreBase<String, Log>?>
            let gate: DispatchSemaphore
            let entered: Shared<Bool>
            var hasAfterReduce: Bool { true }

            func handle(action: String, from: ActionSource, state: @escaping GetState<Log>) -> IO<String> {
                if action == "hold" {
                    entered.value = true
                    gate.wait()
                }
                if action == "A" { holder.value?.dispatch("handle") }
                return .pure()
            }

            func afterReduce(
                action: String,
                from: ActionSource,
                state: @escaping GetState<Log>,
                output: AnyActionHandler<String>
            ) {
                if action == "A" { output.dispatch("afterReduce") }
            }
        }
        let store = ReduxStoreBase(
            initialState: Log(),
            reducer: logging,
            middleware: Dispatching(holder: holder, gate: gate, entered: entered),
            engine: engine,
            publication: .everyAction,
            order: .internalFirst
        )
        holder.value = store
        let subscription = store.subscribe { log in if log.last == "A" { holder.value?.dispatch("subscriber") } }
        await store.drain()
        onNewThread { store.dispatch("hold") }
        #expect(await eventually { entered.value })
        store.dispatch("A")
        store.dispatch("X")
        gate.signal()
        #expect(await eventually { store.metrics.pending == 0 })
        await store.drain()
        #expect(store.state == ["hold", "A", "handle", "subscriber", "afterReduce", "X"])
        await subscription.cancel()
        holder.value = nil
    }

    @Test("a guard in a middleware lets one breach a symbol through, whatever waits")
    func guards() async {
        enum Action: Sendable { case tick(Int), breached(Int), start }
        struct Book: Sendable {
            var breached: Set<Int> = []
            var reports = 0
        }
        func reports(_ order: ActionOrder) async -> Int {
            let gate = DispatchSemaphore(value: 0)
            let store = ReduxStoreBase(
                initialState: Book(),
                reducer: Reducer<Action, Book>.reduce { action, book in
                    if case .breached(let symbol) = action {
                        book.breached.insert(symbol)
                        book.reports += 1
                    }
                },
                middleware: Handle<Action, Book> { action, _, state in
                    switch action {
                    case .start: gate.wait()
                    case .tick(let symbol) where !state().breached.contains(symbol):
                        return IO { $0.dispatch(.breached(symbol)) }
                    case .tick, .breached: break
                    }
                    return .pure()
                },
                order: order
            )
            store.dispatch(.start)
            for number in 0..<10_000 { store.dispatch(.tick(number % 5)) }
            gate.signal()
            #expect(await eventually { store.metrics.pending == 0 })
            await store.drain()
            return store.state.reports
        }
        #expect(await reports(.internalFirst) == 5)
        #expect(await reports(.fifo) > 5)
    }

    @Test("a chain of a million does not grow the stack, and balances", arguments: engines)
    func chain(engine: StoreEngine) async {
        let length = isSanitized ? 100_000 : 1_000_000
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { _, count in count += 1 },
            middleware: Handle<Int, Int> { left, _, _ in left == 0 ? .pure() : IO { $0.dispatch(left - 1) } },
            engine: engine,
            order: .internalFirst
        )
        store.dispatch(length)
        #expect(await eventually { store.metrics.reduced == UInt64(length + 1) })
        await store.drain()
        #expect(store.state == length + 1)
        let metrics = store.metrics
        #expect(metrics.offered == UInt64(length + 1) && metrics.internalActions == UInt64(length))
        #expect(metrics.pending == 0 && metrics.rejected == 0)
    }

    @Test("internal actions neither wait for room nor are dropped", arguments: OverflowPolicy.allCases)
    func capacity(overflow: OverflowPolicy) async {
        let many = (0..<100).map { "child \($0)" }
        let (store, gate) = heldStore(
            .thread(),
            capacity: .bounded(2, overflow: overflow),
            children: ["A": many]
        )
        await hold(store)
        store.dispatch("A")
        gate.signal()
        #expect(await eventually { store.metrics.reduced == 102 })
        await store.drain()
        #expect(store.state == ["hold", "A"] + many)
        #expect(store.metrics.dropped == 0)
        #expect(store.metrics.highWaterMark <= 3)
    }

    @Test("actions of a revoked run are removed and counted as cancelled")
    func revoked() async {
        let run = EffectRun()
        let core = StoreCore<Int, [Int]>(
            state: [],
            emitsValue: .always,
            publication: .onDemand,
            capacity: .unbounded,
            order: .internalFirst
        )
        let pipeline = Pipeline(
            middleware: Handle<Int, [Int]> { action, _, _ in
                guard action == 1 else { return .pure() }
                return IO { output in
                    output.dispatch(2)
                    AnyActionHandler(sink: output.sink, cause: output.cause, run: run).dispatch(3)
                    output.dispatch(4)
                    run.revoke()
                }
            },
            reducer: Reducer<Int, [Int]>.reduce { action, log in log.append(action) },
            core: core
        )
        core.install(pipeline)
        withExtendedLifetime(core) {
            core.take(DispatchedAction(1), cause: .none, run: nil, flags: 0)
            withinFrame(of: core) { while core.consumer.drainOnce() {} }
            #expect(core.cell.live.pointee == [1, 2, 4])
            #expect(core.metrics.cancelled == 1)
            #expect(core.metrics.pending == 0)
            withinFrame(of: core) {
                _ = core.consumer.lifecycle.close(isOnlyReference: true)
                core.consumer.end(core.consumer.finish())
            }
        }
    }

    @Test("numbers and causes count internal actions like all others")
    func numbers() async {
        struct Numbering: MiddlewareProtocol {
            let seen: Recorder<String>
            var position: (@Sendable () -> ActionPosition)?

            mutating func bind(_ binding: MiddlewareBinding<String, Log>) { position = binding.position }

            func handle(action: String, from: ActionSource, state: @escaping GetState<Log>) -> IO<String> {
                if let position = position?() {
                    seen.record("\(action) \(position.number) \(position.cause.parent) \(position.cause.root)")
                }
                let children = ["A": ["B", "C"], "B": ["D"]][action] ?? []
                return IO { output in for child in children { output.dispatch(child) } }
            }
        }
        let seen = Recorder<String>()
        let store = ReduxStoreBase(
            initialState: Log(),
            reducer: logging,
            middleware: Numbering(seen: seen),
            engine: .caller,
            order: .internalFirst
        )
        await store.drain()
        store.dispatch("A")
        store.dispatch("X")
        #expect(seen.all == ["A 1 0 0", "B 2 1 1", "C 3 1 1", "D 4 2 1", "X 5 0 0"])
        store.close()
    }

    @Test("a shard's own actions are internal, those of other shards come from outside; causes name the shard")
    func shards() async {
        struct Step: Sendable { var key: Int, name: String }
        struct Numbering: MiddlewareProtocol {
            let shard: Int
            let seen: Recorder<String>
            var position: (@Sendable () -> ActionPosition)?

            mutating func bind(_ binding: MiddlewareBinding<Step, [String]>) { position = binding.position }

            func handle(action: Step, from: ActionSource, state: @escaping GetState<[String]>) -> IO<Step> {
                if let cause = position?().cause {
                    seen.record("\(action.name) from \(cause.parentShard), first \(cause.rootShard)")
                }
                guard action.name == "A" else {
                    return action.name == "B" ? IO { $0.dispatch(Step(key: 0, name: "C")) } : .pure()
                }
                return IO { $0.dispatch(Step(key: 1, name: "B")) }
            }
        }
        let seen = Recorder<String>()
        let store = ShardedStore(
            shards: 64,
            by: { (step: Step) in step.key },
            initialState: { _ in [String]() },
            reducer: Reducer<Step, [String]>.reduce { step, log in log.append(step.name) },
            middleware: { Numbering(shard: $0, seen: seen) },
            engine: { _ in .caller },
            order: .internalFirst
        )
        let (first, second) = (store.indexOfKey(0), store.indexOfKey(1))
        #expect(first != second)
        store.dispatch(Step(key: 0, name: "A"))
        #expect(await eventually { seen.count == 3 })
        #expect(
            seen.all == [
                "A from 0, first 0", "B from \(first), first \(first)", "C from \(second), first \(first)",
            ]
        )
        #expect(store.metrics.internalActions == 0)
        _ = await store.shutdown()
    }

    @Test("with .caller, what a subscriber dispatches in the last publication is handled when the dispatch returns")
    func lastPublication() {
        let holder = Shared<ReduxStoreBase<String, Log>?>(nil)
        let store = ReduxStoreBase(
            initialState: Log(),
            reducer: logging,
            engine: .caller,
            publication: .atMost(every: .seconds(3_600)),
            order: .internalFirst
        )
        holder.value = store
        store.subscribe { log in if log.last == "A" { holder.value?.dispatch("subscriber") } }
        for action in ["first", "A"] { store.dispatch(action) }
        #expect(store.metrics.reduced == 3)
        holder.value = nil
    }

    @Test("offer(contentsOf:) says that the deadline of a shutdown has passed", arguments: ActionOrder.allCases)
    func offerAbandoned(order: ActionOrder) async {
        let holder = Shared<ReduxStoreBase<Int, Int>?>(nil)
        let (gate, entered) = (DispatchSemaphore(value: 0), Shared(false))
        let result = Shared<OfferedActions?>(nil)
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            middleware: Handle<Int, Int> { action, _, _ in
                entered.value = true
                gate.wait()
                result.value = holder.value?.offer(contentsOf: [1, 2, 3])
                return .pure()
            },
            order: order
        )
        holder.value = store
        store.dispatch(0)
        #expect(await eventually { entered.value })
        let end = Task { await store.shutdown(deadline: .zero) }
        #expect(await eventually { store.core.consumer.isAbandoned })
        gate.signal()
        _ = await end.value
        #expect(await eventually { result.value != nil })
        #expect(result.value == OfferedActions(accepted: 0, result: .closed))
        #expect(store.metrics.rejected == 3)
        holder.value = nil
    }

    @Test("what another shard dispatches inside an action of this one comes from outside, also through the store")
    func nestedShards() async {
        struct Step: Sendable { var key: Int, name: String }
        let holder = Shared<ShardedStore<Step, [String], Int>?>(nil)
        let (gate, entered) = (DispatchSemaphore(value: 0), Shared(false))
        let store = ShardedStore(
            shards: 64,
            by: { (step: Step) in step.key },
            initialState: { _ in [String]() },
            reducer: Reducer<Step, [String]>.reduce { step, log in log.append(step.name) },
            middleware: { _ in
                Handle<Step, [String]> { step, _, _ in
                    switch step.name {
                    case "A":
                        entered.value = true
                        gate.wait()
                        return IO { output in
                            output.dispatch(Step(key: 0, name: "own"))
                            output.dispatch(Step(key: 1, name: "B"))
                        }
                    case "B":
                        holder.value?.dispatch(Step(key: 0, name: "back"))
                        return IO { $0.dispatch(Step(key: 0, name: "back2")) }
                    default: return .pure()
                    }
                }
            },
            engine: { _ in .caller },
            order: .internalFirst
        )
        holder.value = store
        #expect(store.indexOfKey(0) != store.indexOfKey(1))
        onNewThread { store.dispatch(Step(key: 0, name: "A")) }
        #expect(await eventually { entered.value })
        store.dispatch(Step(key: 0, name: "X"))
        gate.signal()
        #expect(await eventually { store.metrics.reduced == 6 })
        await store.drain()
        #expect(store.shard(for: 0).state == ["A", "own", "X", "back", "back2"])
        #expect(store.metrics.internalActions == 1)
        holder.value = nil
        _ = await store.shutdown()
    }

    @Test("a revoked action takes no number", arguments: ActionOrder.allCases)
    func numberOfRevoked(order: ActionOrder) async {
        struct Numbering: MiddlewareProtocol {
            let seen: Recorder<String>
            let run: EffectRun
            var position: (@Sendable () -> ActionPosition)?
            mutating func bind(_ binding: MiddlewareBinding<Int, Int>) { position = binding.position }
            func handle(action: Int, from: ActionSource, state: @escaping GetState<Int>) -> IO<Int> {
                seen.record("\(action): \(position?().number ?? 0) of \(position?().cause.parent ?? 0)")
                guard action == 1 else { return .pure() }
                return IO { [run] output in
                    output.dispatch(2)
                    output.belonging(to: run).dispatch(3)
                    output.dispatch(4)
                    run.revoke()
                }
            }
        }
        let seen = Recorder<String>()
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            middleware: Numbering(seen: seen, run: EffectRun()),
            engine: .caller,
            order: order
        )
        store.dispatch(1)
        store.dispatch(5)
        await store.drain()
        #expect(seen.all == ["1: 1 of 0", "2: 2 of 1", "4: 3 of 1", "5: 4 of 0"])
        #expect(store.metrics.cancelled == 1)
    }
}
