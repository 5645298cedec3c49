// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects
import MillraceInstrumentation
import Synchronization
import TestSupport
import Testing

@Suite("Instrumentation: switching from several threads", .timeLimit(.minutes(5)))
struct SwitchingRaceTests {
    /// A store whose action `stop` starts an effect.
    private static func makeStore(_ engine: StoreEngine) -> ReduxStoreBase<Job, Int> {
        let effects = SimpleEffectMiddleware<Job, Int>.onAction { action, _, _ in
            action == .stop ? .just(.small) : .doNothing
        }
        return ReduxStoreBase(
            initialState: 0,
            reducer: counting(Job.self),
            middleware: effects.named("effects"),
            engine: engine,
            publication: .onDemand
        )
    }

    @Test(
        "once all have returned, actions and effects are measured if it says so, and not if it does not",
        arguments: [StoreEngine.thread(), .caller]
    )
    func agreement(engine: StoreEngine) async {
        let store = Self.makeStore(engine)
        let instrumentation = Instrumentation(store, isOn: false)
        var states: Set<Int> = []
        for round in 0..<80 {
            await elsewhere {
                let ready = Atomic<Int>(0)
                onThreads(2) { thread in
                    // Both begin at once. Relaxed: orders nothing else.
                    ready.add(1, ordering: .relaxed)
                    while ready.load(ordering: .relaxed) < 2 {}
                    if thread == 0 { instrumentation.turnOn(oneIn: 1) } else { instrumentation.turnOff() }
                }
            }
            store.dispatch(.stop)
            await store.drain()
            await store.drain()
            let interval = await instrumentation.nextInterval()
            let isOn = instrumentation.sampling > 0
            states.insert(instrumentation.sampling)
            let (measured, started) = (interval.measured, interval.effects.first?.started ?? 0)
            // The action, and the one that its effect dispatches.
            guard measured == (isOn ? 2 : 0), started == (isOn ? 1 : 0) else {
                Issue.record(
                    "round \(round): on \(isOn), \(measured) actions measured, \(started) effects started"
                )
                return
            }
        }
        #expect(states.isSubset(of: [0, 1]))
    }

    @Test("a handler may switch it, also while it is being switched")
    func fromHandler() async {
        let box = Shared<Instrumentation?>(nil)
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Job.self),
            middleware: Handle<Job> { action in
                switch action {
                case .small: box.value?.turnOn()
                case .stop: box.value?.turnOff()
                default: break
                }
                return .pure()
            },
            engine: .caller
        )
        let instrumentation = Instrumentation(store, isOn: false)
        box.value = instrumentation
        onThreads(2) { thread in
            for number in 0..<2_000 {
                switch number % 4 {
                case 0: store.dispatch(.small)
                case 1: instrumentation.turnOff()
                case 2: store.dispatch(.stop)
                default: instrumentation.turnOn()
                }
            }
        }
        store.dispatch(.stop)
        #expect(instrumentation.sampling == 0)
        let before = await instrumentation.snapshot().measured
        store.dispatch(.large(1))
        #expect(await instrumentation.snapshot().measured == before)
        box.value = nil
    }
}
