// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects
import MillraceGated
import Synchronization
import TestSupport
import Testing

/// Flips from many threads, under load.
@Suite("Gate under load", .serialized, .timeLimit(.minutes(5)))
struct GateStressTests {
    /// Counts the passes that do not belong together.
    final class Passes: MiddlewareProtocol, Sendable {
        let handled = Atomic<Int>(0)
        let after = Atomic<Int>(0)
        let torn = Atomic<Int>(0)
        let current = Atomic<Int>(-1)

        func handle(action: Int, from dispatcher: ActionSource, state: @escaping GetState<Int>) -> IO<Int> {
            handled.add(1, ordering: .relaxed)
            if current.exchange(state(), ordering: .relaxed) != -1 { torn.add(1, ordering: .relaxed) }
            return .pure()
        }

        func afterReduce(
            action: Int,
            from dispatcher: ActionSource,
            state: @escaping GetState<Int>,
            output: AnyActionHandler<Int>
        ) {
            after.add(1, ordering: .relaxed)
            if current.exchange(-1, ordering: .relaxed) != state() - 1 { torn.add(1, ordering: .relaxed) }
        }
    }

    @Test("eight threads flip, four dispatch: each action is seen as a whole or not at all")
    func flips() async {
        let (gate, passes) = (Gate(), Passes())
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { _, count in count += 1 },
            middleware: passes.gated(by: gate),
            publication: .onDemand
        )
        let each = isSanitized ? 5_000 : 50_000
        await elsewhere {
            let dispatching = Atomic<Int>(4)
            onThreads(12) { thread in
                if thread < 4 {
                    for number in 0..<each { store.dispatch(number) }
                    dispatching.subtract(1, ordering: .relaxed)
                } else {
                    while dispatching.load(ordering: .relaxed) > 0 { thread % 2 == 0 ? gate.open() : gate.close() }
                }
            }
        }
        await store.drain()
        #expect(store.state == 4 * each)
        #expect(passes.torn.load(ordering: .relaxed) == 0)
        let handled = passes.handled.load(ordering: .relaxed)
        #expect(handled == passes.after.load(ordering: .relaxed))

        gate.open()
        for number in 0..<1_000 { store.dispatch(number) }
        await store.drain()
        #expect(passes.handled.load(ordering: .relaxed) == handled + 1_000)
        gate.close()
        for number in 0..<1_000 { store.dispatch(number) }
        await store.drain()
        #expect(passes.handled.load(ordering: .relaxed) == handled + 1_000)
        #expect(passes.torn.load(ordering: .relaxed) == 0)
    }

    @Test("an effect that is started while others close the gate is cancelled: a closed gate leaves none")
    func cancelRace() async {
        let effects = EffectMiddleware<Int, Int, Int, Void>.onAction { _, _, _ in Effect { _, _ in } }
        let gate = Gate()
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { _, count in count += 1 },
            middleware: effects.gated(by: gate, inFlight: .cancel),
            publication: .onDemand
        )
        for _ in 0..<(isSanitized ? 30 : 300) {
            gate.open()
            await elsewhere {
                onThreads(3) { thread in
                    if thread == 0 {
                        for number in 0..<200 { store.dispatch(number) }
                    } else {
                        gate.close()
                    }
                }
            }
            await store.drain()
            #expect(effects.runningEffects == 0)
        }
    }

    @Test("late outputs of many threads: none is lost while the gate is open, none passes while it is closed")
    func outputs() async {
        let gate = Gate()
        let kept = Shared<AnyActionHandler<Int>?>(nil)
        let keeping = AnyMiddleware<Int, Int, Int> { action, _, _ in
            action == -1 ? IO { output in kept.value = output } : .pure()
        }
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { action, sum in sum += max(0, action) },
            middleware: keeping.gated(by: gate),
            publication: .onDemand
        )
        store.dispatch(-1)
        await store.drain()
        for round in 1...6 {
            let before = store.state
            gate.set(GateState(isOpen: round % 2 == 0))
            await elsewhere { onThreads(4) { _ in for _ in 0..<1_000 { kept.value?.dispatch(1) } } }
            await store.drain()
            #expect(store.state - before == (round % 2 == 0 ? 4_000 : 0))
        }
        kept.value = nil
    }
}
