// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects
import MillraceGated
import TestSupport
import Testing

@Suite("Gate: what is in flight", .timeLimit(.minutes(5)))
struct InFlightTests {
    private let sinks = Shared<[EffectSink<DispatchedAction<Step>>]>([])

    private func send(_ number: Int) {
        for sink in sinks.value { sink.send(DispatchedAction(.answer(number))) }
    }

    @Test("dropOutputs: effects go on, and are not heard until the gate opens again")
    func dropOutputs() {
        let (gate, effects) = (Gate(), endless(sinks))
        let rig = Rig(effects.gated(by: gate))
        rig.dispatch(.work(1))
        gate.close()
        send(1)
        #expect(effects.runningEffects == 1)
        gate.open()
        send(2)
        #expect(rig.reduced.all == [.work(1), .answer(2)])
    }

    @Test("letFinish: what is under way is heard, also the answer to the action that closes the gate")
    func letFinish() {
        let effects = endless(sinks)
        let log = Recorder<String>()
        let rig = Rig(
            (effects <> Witness(log: log)).gated(controlAction: \.control, inFlight: .letFinish)
        )
        rig.dispatch(.work(1), .control(false), .work(2))
        send(3)
        #expect(effects.runningEffects == 2, "of 1, and of the action that closed it")
        #expect(
            rig.reduced.all == [
                .work(1), .answer(1), .control(false), .answer(-2), .work(2), .answer(3), .answer(3),
            ]
        )
    }

    @Test("cancel: when close() returns nothing runs, and what opens the gate does not bring it back")
    func cancelFromOutside() {
        let (gate, effects) = (Gate(), endless(sinks))
        let rig = Rig(effects.gated(by: gate, inFlight: .cancel))
        rig.dispatch(.work(1), .work(2))
        #expect(effects.runningEffects == 2)
        gate.close()
        #expect(effects.runningEffects == 0)
        #expect(sinks.value.allSatisfy { $0.isCancelled })
        gate.open()
        send(1)
        rig.dispatch(.work(3))
        #expect(rig.reduced.all == [.work(1), .work(2), .work(3)])
        #expect(effects.runningEffects == 1)
    }

    @Test("cancel: what effects have dispatched and still waits is dropped, and counted as cancelled")
    func cancelsWaiting() {
        let (gate, effects) = (Gate(), endless(sinks))
        let sinks = sinks
        let closing = AnyMiddleware<Step, Step, World> { action, _, _ in
            guard case .volume = action else { return .pure() }
            return IO { _ in
                for sink in sinks.value { sink.send(DispatchedAction(.answer(1))) }
                gate.close()
            }
        }
        let rig = Rig(effects.gated(by: gate, inFlight: .cancel) <> closing)
        rig.dispatch(.work(1), .volume(1))
        #expect(rig.reduced.all == [.work(1), .volume(1)])
        #expect(rig.store.metrics.cancelled == 1)
    }

    @Test("cancel by action: also the effect that answers the action that closes the gate")
    func cancelByAction() {
        let effects = endless(sinks)
        let rig = Rig(effects.gated(controlAction: \.control, inFlight: .cancel))
        rig.dispatch(.work(1), .control(false))
        #expect(sinks.value.count == 2)
        #expect(effects.runningEffects == 0)
        rig.dispatch(.control(true))
        #expect(effects.runningEffects == 1)
    }

    @Test("cancel by state: right after the reducers that close it, whoever else has no afterReduce")
    func cancelByState() {
        let effects = endless(sinks)
        let rig = Rig(effects.gated(state: \.isOn, inFlight: .cancel))
        rig.dispatch(.work(1), .work(2))
        #expect(effects.runningEffects == 2)
        rig.dispatch(.control(false))
        #expect(effects.runningEffects == 0)
        rig.dispatch(.control(true), .work(3))
        #expect(effects.runningEffects == 1)
        rig.dispatch(.mode(.bypass), .control(false))
        #expect(effects.runningEffects == 0)
        #expect(sinks.value.count == 6, "all but of the action that opened it")
    }

    @Test("cancel outside of a store: effects that are started as work")
    func cancelWithoutStore() {
        let (gate, effects) = (Gate(), endless(sinks))
        let gated = effects.gated(by: gate, inFlight: .cancel)
        let output = AnyActionHandler<Step> { _ in }
        let io = gated.handle(action: .work(1), from: .here(), state: { World() })
        io.run(output)
        #expect(effects.runningEffects == 1)
        gate.close()
        #expect(effects.runningEffects == 0)
        io.run(output)
        #expect(effects.runningEffects == 0, "a work that comes too late starts nothing that stays")
    }

    @Test("a canceller reaches effects in whatever they are wrapped")
    func cancellers() {
        let effects = endless(sinks)
        let erased = effects.eraseToAnyMiddleware()
        var bound = erased
        bound.bind(MiddlewareBinding(state: { World() }))
        let either: EitherMiddleware<Effects, IdentityMiddleware<Step, Step, World>> = .first(effects)
        let other: EitherMiddleware<IdentityMiddleware<Step, Step, World>, Effects> = .second(effects)
        let cancellers: [(String, EffectCanceller)] = [
            ("itself", effects.effectCanceller),
            ("erased", erased.effectCanceller),
            ("bound", bound.effectCanceller),
            ("first", (effects <> Witness(log: Recorder())).effectCanceller),
            ("second", (Witness(log: Recorder()) <> effects).effectCanceller),
            ("composed", (effects <> IdentityMiddleware() as ComposedMiddleware).effectCanceller),
            ("lifted", effects.named("part").lift(inputAction: { (step: Step) in Optional(step) }).effectCanceller),
            ("named", effects.named("effects").effectCanceller),
            ("either", either.effectCanceller),
            ("or", other.effectCanceller),
            ("gated", effects.gated(by: Gate()).effectCanceller),
            ("in a dictionary", inDictionary(effects).effectCanceller),
        ]
        for (name, canceller) in cancellers {
            effects.handle(action: .work(1), from: .here(), state: { World() }).run { _ in }
            #expect(effects.runningEffects == 1)
            #expect(!canceller.isEmpty, "\(name)")
            canceller.cancelAll()
            #expect(effects.runningEffects == 0, "\(name)")
        }
        #expect(Witness(log: Recorder()).effectCanceller.isEmpty)
    }

    private func inDictionary(_ effects: Effects) -> some MiddlewareProtocol {
        effects.named("element").liftToDictionary(
            inputAction: { (step: Step) in ElementIDAction(id: "a", action: step) },
            outputAction: { (element: ElementIDAction<String, Step>) in element.action },
            state: { (worlds: [String: World]) in worlds }
        )
    }

    @Test("a gate that is kept keeps neither the middleware nor its effects", arguments: InFlightPolicy.allCases)
    func release(policy: InFlightPolicy) async {
        let gate = Gate()
        let token = Shared(0)
        func use(_ token: Shared<Int>) {
            let effects = Effects.onAction { _, _, _ in
                Effect { _, sink in sink.onCancel { token.update { $0 += 1 } } }
            }
            let store = ReduxStoreBase(
                initialState: World(),
                reducer: reducer,
                middleware: effects.gated(by: gate, inFlight: policy),
                engine: .caller
            )
            store.dispatch(.work(1))
        }
        use(token)
        // An effect keeps an output, so the store ends in a later turn.
        #expect(await eventually { token.value == 1 })
        gate.close()
        #expect(token.value == 1)
    }

    @Test("cancel: what the state asks for comes back with the next action after the gate has opened")
    func supervised() {
        let begun = Shared(0)
        func supervising() -> SupervisingMiddleware<Step, Step, World, Void> {
            .init(dependencies: (), by: \.mode) { _ in
                [SupervisedEffect("room", Effect { _, _ in begun.update { $0 += 1 } })]
            }
        }
        let byState = supervising()
        let rig = Rig(byState.gated(state: \.isOn, inFlight: .cancel))
        rig.dispatch(.work(1), .work(2))
        #expect(begun.value == 1)
        rig.dispatch(.control(false))
        #expect(byState.runningEffects == 0)
        rig.dispatch(.work(3), .control(true))
        #expect(begun.value == 1, "it sees no action before")
        rig.dispatch(.work(4), .work(5))
        #expect(byState.runningEffects == 1)
        #expect(begun.value == 2)
        let (gate, fromOutside) = (Gate(), supervising())
        let other = Rig(fromOutside.gated(by: gate, inFlight: .cancel))
        other.dispatch(.work(1))
        gate.close()
        #expect(fromOutside.runningEffects == 0)
        gate.open()
        other.dispatch(.work(2))
        #expect(fromOutside.runningEffects == 1)
    }

    /// What an action that flips the gate reaches: supervised effects, one for each of ten keys, in whatever is around.
    enum Around: CaseIterable, Sendable { case nothing, erased, composed, named, twoGates, each }

    private func gated(_ around: Around, _ base: SupervisingMiddleware<Step, Step, World, Void>) -> AnyMiddleware<
        Step, Step, World
    > {
        switch around {
        case .nothing, .each: base.gated(controlAction: \.control, inFlight: .cancel).eraseToAnyMiddleware()
        case .erased:
            base.eraseToAnyMiddleware().gated(controlAction: \.control, inFlight: .cancel).eraseToAnyMiddleware()
        case .composed:
            (base <> Witness(log: Recorder())).gated(controlAction: \.control, inFlight: .cancel).eraseToAnyMiddleware()
        case .named:
            base.named("rooms").gated(controlAction: \.control, inFlight: .cancel).named("gate").eraseToAnyMiddleware()
        case .twoGates:
            base.gated(by: Gate(), inFlight: .cancel).gated(controlAction: \.control, inFlight: .cancel)
                .eraseToAnyMiddleware()
        }
    }

    private func supervising(_ around: Around, _ begun: Shared<Int>) -> SupervisingMiddleware<Step, Step, World, Void> {
        let effect = Effect<Void, Step> { _, _ in begun.update { $0 += 1 } }
        if around == .each {
            return .init(dependencies: (), each: { _ in 0..<10 }, key: { $0 }, definition: { $0 }) { _ in effect }
        }
        return .init(dependencies: (), by: \.mode) { _ in (0..<10).map { SupervisedEffect($0, effect) } }
    }

    @Test("an action that flips the gate begins each supervised effect once an opening", arguments: Around.allCases)
    func flippedByActions(around: Around) {
        let begun = Shared(0)
        let supervising = supervising(around, begun)
        let rig = Rig(gated(around, supervising))
        rig.dispatch(.work(1))
        for opening in 1...3 {
            #expect(begun.value == 10 * opening)
            rig.dispatch(.control(false))
            #expect(supervising.runningEffects == 0)
            // These reach it, too.
            rig.dispatch(.control(false), .work(2), .mode(opening.isMultiple(of: 2) ? .active : .bypass))
            #expect(begun.value == 10 * opening, "closed, it begins nothing")
            rig.dispatch(.control(true))
            #expect(supervising.runningEffects == 10)
            rig.dispatch(.work(3), .control(true))
        }
        #expect(begun.value == 40)
        #expect(supervising.figures.cancelled == 30)
    }

    @Test(
        "outside of a store no supervised effect goes on while the gate is closed",
        arguments: [Around.nothing, .erased, .named, .twoGates, .each]
    )
    func flippedOutsideOfStore(around: Around) {
        let supervising = supervising(around, Shared(0))
        let middleware = gated(around, supervising)
        func handle(_ step: Step) {
            middleware.handle(action: step, from: .here(), state: { World() }).run { _ in }
        }
        handle(.work(1))
        for _ in 1...3 {
            #expect(supervising.runningEffects == 10)
            handle(.control(false))
            #expect(supervising.runningEffects == 0)
            handle(.control(false))
            #expect(supervising.runningEffects == 0)
            handle(.control(true))
            handle(.work(2))
        }
        #expect(supervising.runningEffects == 10)
    }

    @Test("by state an action that closes the gate, and asks for more, begins nothing")
    func closedByStateWithMore() {
        let begun = Shared(0)
        let supervising = SupervisingMiddleware<Step, Step, World, Void>(dependencies: (), by: \.count) { count in
            [SupervisedEffect("a", definition: count, Effect { _, _ in begun.update { $0 += 1 } })]
        }
        let rig = Rig(supervising.gated(state: \.isOn, inFlight: .cancel))
        rig.dispatch(.work(1), .work(2))
        #expect(begun.value == 2)
        rig.dispatch(.control(false), .work(3), .control(true))
        #expect(begun.value == 2)
        rig.dispatch(.work(4))
        #expect(begun.value == 3)
        #expect(supervising.runningEffects == 1)
    }

    /// Makes a store of its own when it is bound.
    private struct StoreMaker: MiddlewareProtocol {
        let make: @Sendable () -> Void

        mutating func bind(_ binding: MiddlewareBinding<Step, World>) { make() }

        func handle(action: Step, from dispatcher: ActionSource, state: @escaping GetState<World>) -> IO<Step> {
            .pure()
        }
    }

    @Test("a store that is made while a gated middleware is bound does not mind that gate")
    func storeWithinBinding() {
        let begun = Shared(0)
        let supervising = supervising(.nothing, begun)
        let inner = Shared<Rig?>(nil)
        let maker = StoreMaker { inner.value = Rig(supervising) }
        let outer = Rig(maker.gated(by: Gate(.bypass), inFlight: .cancel))
        outer.dispatch(.work(1))
        inner.value?.dispatch(.work(1))
        #expect(begun.value == 10)
    }
}
