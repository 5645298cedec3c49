// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceGated
import TestSupport
import Testing

@Suite("Gate from outside, and in compositions")
struct GatedMiddlewareTests {
    private let log = Recorder<String>()

    @Test("one gate stands before several middlewares")
    func outside() {
        let gate = Gate(.bypass)
        let rig = Rig(Witness(log: log).gated(by: gate) <> LateWitness(log: log).gated(by: gate))
        rig.dispatch(.volume(1))
        gate.open()
        rig.dispatch(.volume(2))
        gate.close()
        rig.dispatch(.volume(3))
        #expect(log.all == ["handle volume(2)", "handle volume(2)", "after volume(2)", "work volume(2)"])
    }

    @Test("an action is seen as a whole, when the gate is flipped between its passes", arguments: [true, false])
    func whole(startsOpen: Bool) {
        let gate = Gate(GateState(isOpen: startsOpen))
        // Comes after the gated one in `handle`, so it flips between the two passes.
        let flipping = AnyMiddleware<Step, Step, World> { _, _, _ in
            gate.set(GateState(isOpen: !gate.isOpen))
            return .pure()
        }
        let rig = Rig(LateWitness(log: log).gated(by: gate) <> flipping)
        rig.dispatch(.volume(1), .volume(2), .volume(3))
        let seen = startsOpen ? [1, 3] : [2]
        #expect(log.all == seen.flatMap { ["handle volume(\($0))", "after volume(\($0))"] })
    }

    @Test("two stores of one middleware do not mix their passes up")
    func twoStores() {
        let gate = Gate()
        let gated = LateWitness(log: log).gated(by: gate)
        let second = Rig(gated)
        let between = AnyMiddleware<Step, Step, World> { action, _, _ in
            guard case .volume(1) = action else { return .pure() }
            gate.close()
            second.dispatch(.volume(2))
            return .pure()
        }
        Rig(gated <> between).dispatch(.volume(1))
        #expect(log.all == ["handle volume(1)", "after volume(1)"])
        #expect(second.reduced.all == [.volume(2)])
    }

    @Test("hidden, composed, lifted, named and nested it does the same")
    func wrapped() {
        typealias Erased = AnyMiddleware<Step, Step, World>
        let gate = Gate()
        let gated = LateWitness(log: log).gated(by: gate)
        let wrappers: [(String, () -> Erased)] = [
            ("erased", { gated.eraseToAnyMiddleware() }),
            ("composed", { (gated <> IdentityMiddleware() as ComposedMiddleware).eraseToAnyMiddleware() }),
            ("chained", { (IdentityMiddleware() <> gated).eraseToAnyMiddleware() }),
            ("named", { gated.named("gated").eraseToAnyMiddleware() }),
            ("lifted", { gated.lift(inputAction: { (step: Step) in Optional(step) }).eraseToAnyMiddleware() }),
            ("nested", { gated.gated(state: \.isOn).eraseToAnyMiddleware() }),
            (
                "of an erased one",
                { LateWitness(log: log).eraseToAnyMiddleware().gated(by: gate).eraseToAnyMiddleware() }
            ),
        ]
        for (name, make) in wrappers {
            log.clear()
            let rig = Rig(make())
            gate.open()
            rig.dispatch(.work(1))
            gate.close()
            rig.dispatch(.work(2))
            let seen = ["handle work(1)", "after work(1)", "handle answer(1)", "after answer(1)"]
            #expect(log.all == seen, "\(name)")
            #expect(rig.reduced.all == [.work(1), .answer(1), .work(2)], "\(name)")
        }
    }

    @Test("the probe reaches a named middleware behind an open gate")
    func probe() {
        final class Names: PipelineProbe {
            let names = Recorder<MiddlewareName>()

            func stageBegan(_ stage: PipelineStage) {
                if case .middleware(let name) = stage { names.record(name) }
            }
        }
        let gate = Gate(.bypass)
        let rig = Rig(Witness(log: log).named("witness").gated(by: gate))
        let names = Names()
        rig.store.setProbe(names)
        rig.dispatch(.volume(1))
        #expect(names.names.all == [])
        gate.open()
        rig.dispatch(.volume(2))
        #expect(names.names.all == ["witness"])
    }
}
