// SPDX-License-Identifier: Apache-2.0

import Dispatch
import TestSupport
import Testing

@testable import Millrace

/// Urgent and internal actions have no position in the shared queue. What is decided by positions must know them, too.
@Suite("Urgent and internal actions beside the queue", .timeLimit(.minutes(5)))
struct BesideTests {
    private let logging = Reducer<Int, [Int]>.reduce { action, log in log.append(action) }

    @Test("onDemand: a read sees the urgent actions that were dispatched before", arguments: engines)
    func onDemandUrgent(engine: StoreEngine) async {
        let store = ReduxStoreBase(initialState: [Int](), reducer: logging, engine: engine, publication: .onDemand)
        store.dispatch(1)
        await elsewhere { #expect(store.state == [1]) }
        store.dispatch(urgent: 2)
        await elsewhere { #expect(store.state == [1, 2]) }
        store.dispatch(urgent: 3)
        await elsewhere { #expect(store.withState { $0.count } == 3) }
    }

    @Test("onDemand: a read sees what a long internal chain did since the last read", arguments: engines)
    func onDemandInternal(engine: StoreEngine) async {
        let length = 20_000
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { _, count in count += 1 },
            middleware: Handle<Int, Int> { left, _, _ in left == 0 ? .pure() : IO { $0.dispatch(left - 1) } },
            engine: engine,
            publication: .onDemand,
            order: .internalFirst
        )
        onNewThread { store.dispatch(length) }
        #expect(await eventually { store.metrics.reduced > 0 })
        // A read is a message: the pipeline answers it within the chain.
        await elsewhere { #expect(store.state > 0) }
        #expect(await eventually { store.metrics.reduced == UInt64(length + 1) })
        await elsewhere { #expect(store.state == length + 1) }
    }

    @Test(
        "a drain waits for an urgent action, also while a full store drops its oldest actions, and the probe is told of it",
        arguments: [false, true]
    )
    func drainOfAFullStore(isProbed: Bool) async {
        let probe = Counting()
        let (gate, entered) = (DispatchSemaphore(value: 0), Shared(false))
        let reduced = Recorder<Int>()
        let store = ReduxStoreBase(
            initialState: [Int](),
            reducer: Reducer<Int, [Int]>.reduce { action, _ in reduced.record(action) },
            middleware: Handle<Int, [Int]> { action, _, _ in
                if action == 0 {
                    entered.value = true
                    gate.wait()
                }
                return .pure()
            },
            capacity: .bounded(4, overflow: .dropOldest)
        )
        if isProbed { store.setProbe(probe) }
        store.dispatch(0)
        #expect(await eventually { entered.value })
        store.dispatch(urgent: 1)
        let drained = Shared<[Int]?>(nil)
        // As drain() does.
        _ = store.core.send { drained.value = reduced.all }
        for number in 2...10 { store.dispatch(number) }
        gate.signal()
        #expect(await eventually { drained.value != nil })
        #expect(drained.value?.contains(1) == true)
        #expect(await store.shutdown().isCompleteButForReaders)
        #expect(store.metrics.dropped > 0)
        #expect(probe.ended.value == (isProbed ? store.metrics.reduced : 0))
    }

    /// Counts the actions that it is told of.
    private final class Counting: PipelineProbe {
        let ended = Shared<UInt64>(0)

        func actionEnded(_ action: ProbedAction) { ended.update { $0 += 1 } }
    }

    @Test("the output of a receiveContext dispatches urgent actions, and tells of a closed store")
    func context() async {
        let output = Shared<AnyActionHandler<Int>?>(nil)
        let (gate, entered) = (DispatchSemaphore(value: 0), Shared(false))
        let store = ReduxStoreBase(
            initialState: [Int](),
            reducer: logging,
            middleware: AnyMiddleware<Int, Int, [Int]>(
                receiveContext: { _, handler in
                    output.value = handler
                    // Before the engine has started.
                    #expect(handler.dispatch(urgent: -1) == .accepted)
                },
                handle: { action, _, _ in
                    if action == 0 {
                        entered.value = true
                        gate.wait()
                    }
                    return .pure()
                }
            )
        )
        await store.drain()
        store.dispatch(0)
        #expect(await eventually { entered.value })
        store.dispatch(1)
        #expect(output.value?.dispatch(urgent: 2) == .accepted)
        gate.signal()
        await store.drain()
        #expect(store.state == [-1, 0, 2, 1])
        #expect(store.metrics.urgentActions == 2)
        store.close()
        #expect(output.value?.dispatch(urgent: 3) == .closed)
        output.value = nil
    }

    @Test("a slot of an internal action stays whole while it is inspected")
    func inspection() async {
        final class Payload: Sendable {
            let gone: Shared<Bool>?
            init(_ gone: Shared<Bool>?) { self.gone = gone }
            deinit { gone?.value = true }
        }
        let gone = Shared(false)
        let (gate, entered) = (DispatchSemaphore(value: 0), Shared(false))
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Payload.self),
            middleware: Handle<Payload, Int> { action, _, _ in
                guard action.gone == nil else {
                    entered.value = true
                    gate.wait()
                    return .pure()
                }
                return IO { $0.dispatch(Payload(gone)) }
            },
            order: .internalFirst
        )
        store.dispatch(Payload(nil))
        #expect(await eventually { entered.value })
        let stage = store.core.cell.stage
        let wasGone = Shared<Bool?>(nil)
        await elsewhere {
            stage.inspect { slot, _ in
                gate.signal()
                guard slot != nil else { return }
                // The consumer needs far less time to end the action; it must wait for this closure.
                for _ in 0..<1_000 where !gone.value { System.pause(20_000) }
                wasGone.value = gone.value
            }
        }
        // Nil where the kernel cannot tell of a slot.
        #expect(wasGone.value != true)
        #expect(await eventually { gone.value })
    }

    @Test("a long internal chain publishes its state meanwhile", arguments: engines)
    func publishes(engine: StoreEngine) async {
        let isOver = Shared(false)
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { _, count in count += 1 },
            middleware: Handle<Int, Int> { _, _, _ in isOver.value ? .pure() : IO { $0.dispatch(1) } },
            engine: engine,
            order: .internalFirst
        )
        // On the main queue the dispatch itself runs the chain.
        onNewThread {
            if engine == .main {
                DispatchQueue.main.async { store.dispatch(1) }
            } else {
                store.dispatch(1)
            }
        }
        let first = Shared(0)
        #expect(
            await eventually {
                first.value = store.state
                return first.value > 0
            }
        )
        #expect(await eventually { store.state > first.value })
        isOver.value = true
        await store.drain()
    }

    @Test(
        "a handler that dispatches to a full shard through the store does not wait",
        arguments: OverflowPolicy.allCases
    )
    func shards(overflow: OverflowPolicy) async {
        struct Step: Sendable { var key: Int, number: Int }
        let holder = Shared<ShardedStore<Step, Int, Int>?>(nil)
        let (gate, entered) = (DispatchSemaphore(value: 0), Shared(false))
        let store = ShardedStore(
            shards: 64,
            by: { (step: Step) in step.key },
            initialState: { _ in 0 },
            reducer: Reducer<Step, Int>.reduce { _, count in count += 1 },
            middleware: { _ in
                Handle<Step, Int> { step, _, _ in
                    if step.key == 1, step.number == 0 {
                        entered.value = true
                        gate.wait()
                    }
                    guard step.key == 0 else { return .pure() }
                    return IO { _ in
                        for number in 1...10 { holder.value?.dispatch(Step(key: 1, number: number)) }
                        try? holder.value?.dispatchOrWait(Step(key: 1, number: 11))
                    }
                }
            },
            capacity: .bounded(2, overflow: overflow)
        )
        #expect(store.indexOfKey(0) != store.indexOfKey(1))
        holder.value = store
        store.dispatch(Step(key: 1, number: 0))
        #expect(await eventually { entered.value })
        store.dispatch(Step(key: 0, number: 0))
        let (first, second) = (store.shard(for: 0), store.shard(for: 1))
        #expect(await eventually { second.metrics.offered == 12 })
        gate.signal()
        #expect(await eventually { first.metrics.pending == 0 && second.metrics.pending == 0 })
        #expect(second.metrics.reduced == 12)
        holder.value = nil
        _ = await store.shutdown()
    }

    @Test("the output of a receiveContext of a shard finds the shard of the key", arguments: [true, false])
    func contextOfAShard(isUrgent: Bool) async {
        let outputs = Shared<[AnyActionHandler<Int>]>([])
        let store = ShardedStore(
            shards: 4,
            by: { (number: Int) in number },
            initialState: { _ in [Int]() },
            reducer: logging,
            middleware: { _ in
                AnyMiddleware<Int, Int, [Int]>(
                    receiveContext: { _, output in outputs.update { $0.append(output) } },
                    handle: { _, _, _ in .pure() }
                )
            }
        )
        for number in 0..<100 {
            let output = outputs.value[number % 4]
            if isUrgent { output.dispatch(urgent: number) } else { output.dispatch(number) }
        }
        await store.drain()
        #expect(store.states.flatMap { $0 }.sorted() == Array(0..<100))
        for (shard, state) in store.states.enumerated() {
            #expect(state.allSatisfy { store.indexOfKey($0) == shard })
        }
        _ = await store.shutdown()
        #expect(outputs.value[0].dispatch(urgent: 1) == .closed)
        outputs.value = []
    }

    @Test("what a receiveContext of a shard dispatches itself finds the shard of the key", arguments: engines)
    func insideTheContextOfAShard(engine: StoreEngine) async {
        let store = ShardedStore(
            shards: 4,
            by: { (number: Int) in number },
            initialState: { _ in [Int]() },
            reducer: logging,
            middleware: { shard in
                AnyMiddleware<Int, Int, [Int]>(
                    receiveContext: { _, output in for number in 0..<25 { output.dispatch(shard * 25 + number) } },
                    handle: { _, _, _ in .pure() }
                )
            },
            engine: { _ in engine }
        )
        #expect(store.shards.allSatisfy { $0.engine == engine })
        await store.drain()
        #expect(store.states.flatMap { $0 }.sorted() == Array(0..<100))
        for (shard, state) in store.states.enumerated() {
            #expect(state.allSatisfy { store.indexOfKey($0) == shard })
        }
        _ = await store.shutdown()
    }
}
