// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects
import MillraceGated
import TestSupport
import Testing

/// A gated middleware on one element of many. One value of it may be in several stores.
@Suite("Gate: elements", .timeLimit(.minutes(5)))
struct ElementTests {
    private typealias Worlds = [String: World]
    private typealias Erased = AnyMiddleware<Step, Step, World>

    private let log = Recorder<String>()
    private let gate = Gate()

    private func inDictionary(_ middleware: some MiddlewareProtocol<Step, Step, World>) -> AnyMiddleware<
        Step, Step, Worlds
    > {
        middleware.liftToDictionary(
            inputAction: { (step: Step) in ElementIDAction(id: "a", action: step) },
            outputAction: { (element: ElementIDAction<String, Step>) in element.action },
            state: { (worlds: Worlds) in worlds }
        )
        .eraseToAnyMiddleware()
    }

    /// The gated middleware in whatever it may be wrapped.
    private var wrapped: [(String, AnyMiddleware<Step, Step, Worlds>)] {
        let gated = LateWitness(log: log).gated(by: gate)
        let identity = IdentityMiddleware<Step, Step, World>()
        let first: EitherMiddleware<GatedMiddleware<LateWitness>, Erased> = .first(gated)
        let second: EitherMiddleware<Erased, GatedMiddleware<LateWitness>> = .second(gated)
        let nested = gated.liftToDictionary(
            inputAction: { (step: Step) in ElementIDAction(id: "b", action: step) },
            outputAction: { (element: ElementIDAction<String, Step>) in element.action },
            state: { (world: World) in ["b": world] }
        )
        return [
            ("itself", inDictionary(gated)),
            ("erased", inDictionary(gated.eraseToAnyMiddleware())),
            ("named", inDictionary(gated.named("late"))),
            ("first", inDictionary(gated <> identity.named("other"))),
            ("second", inDictionary(identity.named("other") <> gated)),
            ("composed", inDictionary(gated <> identity.named("other") as ComposedMiddleware)),
            ("either", inDictionary(first)),
            ("or", inDictionary(second)),
            ("gated twice", inDictionary(gated.gated(by: Gate()))),
            ("lifted", inDictionary(gated.lift(inputAction: { (step: Step) in Optional(step) }))),
            ("nested", inDictionary(nested)),
        ]
    }

    @Test("an action is seen as a whole, whatever another store with the same middleware does meanwhile")
    func stores() {
        for (name, middleware) in wrapped {
            log.clear()
            gate.open()
            // Unsafe: the erased ones do not know that they are Sendable. All of this is on one thread.
            nonisolated(unsafe) let middleware = middleware
            let other = ReduxStoreBase(
                initialState: ["a": World()],
                reducer: Reducer<Step, Worlds>.reduce { _, _ in },
                middleware: middleware,
                engine: .caller
            )
            let gate = gate
            let store = ReduxStoreBase(
                initialState: ["a": World()],
                reducer: Reducer<Step, Worlds>.reduce { _, _ in
                    gate.close()
                    other.dispatch(.volume(2))
                    gate.open()
                },
                middleware: middleware,
                engine: .caller
            )
            store.dispatch(.volume(1))
            #expect(log.all == ["handle volume(1)", "after volume(1)"], "\(name)")
        }
    }

    @Test("by state each element decides for its own actions, and for its outputs")
    func elementsByState() {
        let keeper = Keeper()
        let middleware = keeper.gated(state: \.isOn).liftToDictionary(
            inputAction: { (step: Step) -> ElementIDAction<String, Step>? in
                switch step {
                case .work(let number): ElementIDAction(id: "\(number)", action: step)
                default: nil
                }
            },
            outputAction: { (element: ElementIDAction<String, Step>) in element.action },
            state: { (worlds: Worlds) in worlds }
        )
        let reduced = Recorder<Step>()
        let store = ReduxStoreBase(
            initialState: ["1": World(), "2": World()],
            reducer: Reducer<Step, Worlds>.reduce { step, worlds in
                reduced.record(step)
                if case .control(let isOn) = step { worlds["2"]?.isOn = isOn }
            },
            middleware: middleware,
            engine: .caller,
            publication: .everyAction
        )
        for step in [Step.work(1), .work(2), .control(false), .work(2)] { store.dispatch(step) }
        keeper.send(1, .answer(1))
        keeper.send(2, .answer(2))
        store.dispatch(.control(true))
        keeper.send(2, .answer(3))
        #expect(
            reduced.all == [.work(1), .work(2), .control(false), .work(2), .answer(1), .control(true), .answer(3)]
        )
    }
}
