// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceGated
import TestSupport
import Testing

@Suite("Gate by action")
struct ByActionTests {
    private let log = Recorder<String>()

    /// What passes a gate: the numbers of `work` that its middleware handled.
    private var handled: [String] { log.all.filter { $0.hasPrefix("handle") } }

    @Test("27: control actions always reach the middleware, others while the gate is open")
    func forwards() {
        let rig = Rig(Witness(log: log).gated(controlActionMap: { $0.control }, default: .bypass))
        rig.dispatch(.work(1), .control(true), .work(2), .control(false), .work(3), .control(false))
        #expect(
            handled == [
                "handle control(true)", "handle answer(-1)", "handle work(2)", "handle answer(2)",
                "handle control(false)", "handle control(false)",
            ]
        )
        #expect(rig.store.state.count == 8, "reducers are not gated")
    }

    @Test("27: an action that closes the gate reaches the middleware, its outputs go nowhere")
    func closing() {
        let rig = Rig(Witness(log: log).gated(controlAction: \.control))
        rig.dispatch(.control(false))
        #expect(log.all == ["handle control(false)", "work control(false)"])
        #expect(rig.reduced.all == [.control(false)])
    }

    @Test("the gate moves before the middleware sees the control action")
    func movesBefore() throws {
        let gate = Shared<Gate?>(nil)
        let states = Recorder<GateState?>()
        let gated = AnyMiddleware<Step, Step, World> { _, _, _ in
            states.record(gate.value?.state)
            return .pure()
        }
        .gated(controlActionMap: { $0.mode }, default: .active)
        gate.value = gated.gate
        for mode in [GateState.bypass, .active] {
            _ = gated.handle(action: .mode(mode), from: .here(), state: { World() })
        }
        #expect(states.all == [.bypass, .active])
    }

    @Test("any value can turn it on and off, and other values reach the middleware without moving it")
    func values() {
        for gated in [
            Witness(log: log).gated(controlAction: \.volume, turnOn: 11, turnOff: 0, default: .bypass),
            Witness(log: log).gated(controlActionMap: { $0.volume }, turnOn: 11, turnOff: 0, default: .bypass),
        ] {
            log.clear()
            for step: Step in [.work(1), .volume(5), .work(2), .volume(11), .volume(5), .work(3), .volume(0), .work(4)]
            {
                _ = gated.handle(action: step, from: .here(), state: { World() })
            }
            #expect(
                log.all == [
                    "handle volume(5)", "handle volume(11)", "handle volume(5)", "handle work(3)", "handle volume(0)",
                ]
            )
        }
    }

    @Test("Bool and GateState need no values, by closure and by key path")
    func shorthands() {
        let witness = Witness(log: log)
        for (gated, off) in [
            (witness.gated(controlActionMap: { $0.control }), Step.control(false)),
            (witness.gated(controlAction: \.control), .control(false)),
            (witness.gated(controlActionMap: { $0.mode }), .mode(.bypass)),
            (witness.gated(controlAction: \.mode), .mode(.bypass)),
            (
                GatedMiddleware(
                    middleware: witness,
                    controlAction: \.mode,
                    turnOn: .active,
                    turnOff: .bypass,
                    default: .active
                ), .mode(.bypass)
            ),
        ] {
            log.clear()
            for step in [.work(1), off, .work(2)] {
                _ = gated.handle(action: step, from: .here(), state: { World() })
            }
            #expect(log.all == ["handle work(1)", "handle \(off)"])
        }
    }

    @Test("27: outputs are looked at when they are dispatched, however late")
    func lateOutputs() throws {
        let keeper = Keeper()
        let gated = keeper.gated(controlAction: \.control)
        let gate = try #require(gated.gate)
        let rig = Rig(gated)
        rig.dispatch(.work(1))
        keeper.send(1, .answer(1))
        rig.dispatch(.control(false))
        keeper.send(1, .answer(2))
        gate.open()
        keeper.send(1, .answer(3))
        #expect(rig.reduced.all == [.work(1), .answer(1), .control(false), .answer(3)])
    }

    @Test("27 ◇: a late output of the action that opened the gate does not open it again")
    func noReplay() throws {
        let keeper = Keeper()
        let rig = Rig(keeper.gated(controlAction: \.control, default: .bypass))
        rig.dispatch(.control(true), .control(false))
        keeper.send(-1, .answer(1))
        keeper.send(-1, .answer(2))
        rig.dispatch(.work(5))
        #expect(rig.reduced.all == [.control(true), .control(false), .work(5)])
        #expect(keeper.outputs.value[5] == nil)
    }

    @Test("what a gate lets out keeps its source and its cause")
    func keepsSource() {
        let sources = Recorder<UInt>()
        let middleware =
            Witness(log: log).gated(controlAction: \.control)
            <> AnyMiddleware { action, dispatcher, _ in
                if case .answer = action { sources.record(dispatcher.line) }
                return .pure()
            }
        let rig = Rig(middleware)
        rig.store.dispatch(.work(1), line: 4_711)
        #expect(sources.all == [4_711])
        let cause = Shared(ActionCause.none)
        let late = LateWitness(log: log).gated(controlAction: \.control)
        let sink = CauseSink(cause)
        _ = late.handle(action: .work(1), from: .here(), state: { World() })
        late.afterReduce(
            action: .work(1),
            from: .here(),
            state: { World() },
            output: AnyActionHandler(sink: sink, cause: ActionCause(parent: 7, root: 3))
        )
        #expect(cause.value == ActionCause(parent: 7, root: 3))
    }

    private final class CauseSink: ActionSink<Step>, @unchecked Sendable {
        // Unchecked because the base class is.
        let seen: Shared<ActionCause>

        init(_ seen: Shared<ActionCause>) {
            self.seen = seen
        }

        override func accept(_ action: sending DispatchedAction<Step>, cause: ActionCause, run: EffectRun?) {
            seen.value = cause
        }
    }
}
