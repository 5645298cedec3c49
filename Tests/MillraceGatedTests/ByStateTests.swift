// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import MillraceGated
import TestSupport
import Testing

@Suite("Gate by state")
struct ByStateTests {
    private let log = Recorder<String>()

    @Test("27: the state before the reducers decides for both passes")
    func decision() {
        for gated in [
            LateWitness(log: log).gated(state: \.isOn), LateWitness(log: log).gated(stateMap: { $0.isOn }),
            LateWitness(log: log).gated(state: { $0.isOn }),
        ] {
            log.clear()
            #expect(gated.gate == nil)
            let rig = Rig(gated)
            rig.dispatch(.control(false), .volume(1), .control(true), .volume(2))
            #expect(
                log.all == ["handle control(false)", "after control(false)", "handle volume(2)", "after volume(2)"]
            )
        }
    }

    @Test("a GateState in the state does as well as a Bool")
    func gateState() {
        for gated in [
            LateWitness(log: log).gated(state: \.mode), LateWitness(log: log).gated(stateMap: { $0.mode }),
            LateWitness(log: log).gated(state: { $0.mode }),
            GatedMiddleware(middleware: LateWitness(log: log), state: \.mode),
        ] {
            log.clear()
            let rig = Rig(gated)
            rig.dispatch(.volume(1), .mode(.bypass), .volume(2), .mode(.active))
            #expect(
                log.all == [Step.volume(1), .mode(.bypass)].flatMap { ["handle \($0)", "after \($0)"] }
            )
        }
    }

    @Test("27: outputs are dropped while the state says so, works still run")
    func outputs() {
        let rig = Rig(Witness(log: log).gated(state: \.isOn))
        rig.dispatch(.control(false))
        #expect(log.all == ["handle control(false)", "work control(false)"])
        #expect(rig.reduced.all == [.control(false)])

        let keeper = Keeper()
        let late = Rig(keeper.gated(state: \.isOn))
        late.dispatch(.work(1), .control(false))
        keeper.send(1, .answer(1))
        late.dispatch(.control(true))
        keeper.send(1, .answer(2))
        #expect(late.reduced.all == [.work(1), .control(false), .control(true), .answer(2)])
    }

    @Test(
        "an output on another thread waits for no pipeline, and goes by the last action although nothing is published"
    )
    func otherThreadOnDemand() async {
        for closes in [false, true] {
            let keeper = Keeper()
            let reduced = Recorder<Step>()
            let (isStuck, latch) = (Shared(false), DispatchSemaphore(value: 0))
            let store = ReduxStoreBase(
                initialState: World(),
                reducer: Reducer.reduce { step, _ in
                    reduced.record(step)
                    guard step == .volume(1) else { return }
                    isStuck.value = true
                    latch.wait()
                } <> reducer,
                middleware: keeper.gated(state: \.isOn),
                engine: .thread(),
                publication: .onDemand
            )
            store.dispatch(.work(1))
            if closes { store.dispatch(.control(false)) }
            store.dispatch(.volume(1))
            #expect(await eventually { isStuck.value })
            let isSent = Shared(false)
            onNewThread {
                keeper.send(1, .answer(1))
                isSent.value = true
            }
            #expect(await eventually { isSent.value }, "while the handler holds the pipeline")
            latch.signal()
            await store.drain()
            #expect(reduced.all.contains(.answer(1)) == !closes)
        }
    }

    @Test("what never answered with work costs no second look at the state")
    func looks() {
        let looks = Shared(0)
        let rig = Rig(
            IdentityMiddleware().named("idle").gated(stateMap: { (world: World) -> Bool in
                looks.update { $0 += 1 }
                return world.isOn
            })
        )
        rig.dispatch(.work(1), .volume(1))
        #expect(looks.value == 2)
    }

    @Test("from another thread a late output goes by the state")
    func otherThread() async {
        let keeper = Keeper()
        let rig = Rig(keeper.gated(state: \.isOn))
        rig.dispatch(.work(1), .control(false))
        await elsewhere { keeper.send(1, .answer(1)) }
        rig.dispatch(.control(true))
        await elsewhere { keeper.send(1, .answer(2)) }
        #expect(rig.reduced.all == [.work(1), .control(false), .control(true), .answer(2)])
    }
}
