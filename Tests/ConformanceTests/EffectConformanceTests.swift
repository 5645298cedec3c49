// SPDX-License-Identifier: Apache-2.0

import EffectTestSupport
import MillraceCombine
import TestSupport
import Testing

/// Effects in a store, as its user sees them; the details are in the tests of their modules.
@Suite("Conformance: effects", .timeLimit(.minutes(5)))
struct EffectConformanceTests {
    private typealias Effects = EffectMiddleware<Int, Int, Int, Void>

    private let hand = Hand()
    private let outputs = Recorder<Int>()

    private func effects(_ effects: [Int: Effect<Void, Int>]) -> Effects {
        .onAction { action, _, _ in effects[action] ?? .doNothing }
    }

    @Test("A2: effect middlewares of one type start their effects from left to right, in any grouping")
    func a02_notMirrored() {
        let (a, b, c) = (effects([1: .just(10)]), effects([1: .just(20)]), effects([1: .just(30)]))
        for middleware in [a <> b <> c, a <> (b <> c), .identity <> a <> b <> c <> .identity] {
            outputs.clear()
            numberStore(middleware, outputs).dispatch(1)
            #expect(outputs.all == [10, 20, 30])
        }
    }

    @Test(
        "A5: onAction runs in the post-pass; neither it nor its effect sees the state before the reducers",
        arguments: [StoreEngine.thread(), .caller, .main]
    )
    func a05_stateAfter(engine: StoreEngine) async {
        let seen = Recorder<String>()
        let middleware = Effects.onAction { _, _, state in
            seen.record("on \(state())")
            return .fireAndForget { seen.record("run \(state())") }
        }
        let lifted = middleware.lift(state: { (state: Int) in state * 10 })
        let before = AnyMiddleware<Int, Int, Int> { _, _, state in
            seen.record("handle \(state())")
            return .pure()
        }
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { _, count in count += 1 },
            middleware: middleware <> lifted <> before,
            engine: engine
        )
        for _ in 0..<2 {
            store.dispatch(1)
            await store.drain()
        }
        #expect(
            seen.all == [
                "handle 0", "on 1", "run 1", "on 10", "run 10", "handle 1", "on 2", "run 2", "on 20", "run 20",
            ]
        )
    }

    @Test("A18 ◇: two elements that use one token do not cancel each other, and each cancels its own")
    func a18_tokensOfElements() {
        struct Element: Identifiable, Sendable { let id: Int }
        typealias Action = ElementIDAction<Int, Int>
        let hand = hand
        let elements = EffectMiddleware<Int, Int, Element, Void>.onAction { action, _, element in
            action == 9 ? .toCancel("load") : hand.effect("\(action) of \(element().id)", token: "load")
        }
        let lifted = elements.liftToCollection(
            inputAction: { (action: Action) in action },
            outputAction: { $0 },
            stateCollection: { (elements: [Element]) in elements }
        )
        let store = ReduxStoreBase(
            initialState: [Element(id: 1), Element(id: 2)],
            reducer: .identity,
            middleware: lifted,
            engine: .caller
        )
        for (id, action) in [(1, 1), (2, 1), (1, 2), (2, 9)] { store.dispatch(Action(id: id, action: action)) }
        #expect(hand.log.all == ["start 1 of 1", "start 1 of 2", "start 2 of 1", "cancel 1 of 1", "cancel 1 of 2"])
        #expect(lifted.runningEffects == 1)
    }

    @Test("A19: a token that is in use: the new effect is started before the old one is cancelled")
    func a19_replacement() {
        let store = numberStore(effects([1: hand.effect("a", token: "t"), 2: hand.effect("b", token: "t")]), outputs)
        store.dispatch(1)
        store.dispatch(2)
        #expect(hand.log.all == ["start a", "start b", "cancel a"])
        hand.send("a", 10)
        hand.send("b", 20)
        #expect(outputs.all == [20])
    }

    @Test("A20 ◇: the end of an old effect does not remove a newer one of its token")
    func a20_lateEnd() {
        let middleware = effects([
            1: hand.effect("a", token: "t"), 2: hand.effect("b", token: "t"), 3: .toCancel("t"),
        ])
        let store = numberStore(middleware, outputs)
        store.dispatch(1)
        store.dispatch(2)
        hand.complete("a")
        hand.send("b", 20)
        #expect(outputs.all == [20])
        #expect(middleware.runningEffects == 1)
        store.dispatch(3)
        #expect(hand.log.all == ["start a", "start b", "cancel a", "cancel b"])
    }

    @Test("A20 ◇: an effect that ends while it is started leaves no entry, with and without a token")
    func a20_synchronousEnd() {
        let middleware = effects([1: Effect.just(10).withToken("t"), 2: .just(20), 3: .toCancel("t")])
        let store = numberStore(middleware, outputs)
        for action in [1, 2, 3, 1] { store.dispatch(action) }
        #expect(outputs.all == [10, 20, 10])
        #expect(middleware.runningEffects == 0)
    }

    @Test("A21 ◇: a promise is replaced and cancelled by its token")
    func a21_promise() {
        let callbacks = Shared<[@Sendable (Int) -> Void]>([])
        let promise = Effect<Void, Int>.promise(token: "t") { _, done in callbacks.update { $0.append(done) } }
        let store = numberStore(effects([1: promise, 2: .toCancel("t")]), outputs)
        for action in [1, 1, 2, 1] { store.dispatch(action) }
        for (number, done) in callbacks.value.enumerated() { done(10 + number) }
        #expect(outputs.all == [12])
    }

    @Test("A22: toCancel reaches only effects that the same base middleware started, also from a lift of it")
    func a22_scope() {
        let first = effects([1: hand.effect("a", token: "t"), 2: .toCancel("t")])
        let second = effects([1: hand.effect("b", token: "t"), 3: .toCancel("t")])
        let lifted = second.lift(inputAction: { (action: Int) in action }, outputAction: { $0 }, state: { $0 })
        let store = numberStore(first <> lifted)
        for action in [1, 2] { store.dispatch(action) }
        #expect(hand.log.all == ["start a", "start b", "cancel a"])
        store.dispatch(3)
        #expect(hand.log.all.last == "cancel b")
    }

    @Test("A22: toCancel, and the token that it cancels, survive map and ignoringDependencies")
    func a22_throughMaps() {
        let all: [Int: Effect<Void, Int>] = [1: hand.effect("a", token: "t"), 2: .toCancel("t")]
        let middleware = EffectMiddleware<Int, Int, Int, String>(dependencies: "world") { action, _, _ in
            (all[action] ?? .doNothing).map { $0 * 10 }.ignoringDependencies()
        }
        let store = numberStore(middleware.lift(outputAction: { $0 + 1 }), outputs)
        store.dispatch(1)
        hand.send("a", 5)
        store.dispatch(2)
        hand.send("a", 6)
        #expect(hand.log.all == ["start a", "cancel a"])
        #expect(outputs.all == [51])
    }

    @Test(
        "A22: toCancel completes, so that things can follow it: as an effect, as a publisher, for unknown tokens, too"
    )
    func a22_completes() {
        let middleware = effects([
            1: hand.effect("a", token: "t"),
            2: .concat(.toCancel("t"), .just(20)),
            3: Effect { context in context.toCancel("t").append(Just(DispatchedAction(30))) },
        ])
        let store = numberStore(middleware, outputs)
        for action in [1, 2, 1, 3, 2, 3] { store.dispatch(action) }
        #expect(hand.log.all == ["start a", "cancel a", "start a", "cancel a"])
        #expect(outputs.all == [20, 30, 20, 30])
    }

    @Test("A23: doNothing is never started; an empty sequence is, and completes")
    func a23_doNothing() {
        let nothing = Effect<Void, Int>.doNothing
        #expect(!nothing.doesSomething && !nothing.map { $0 }.doesSomething)
        let context: Effect<Void, Int>.Context = ((), { _ in FireAndForget {} })
        #expect(nothing.run(context) == nil)
        #expect(Effect<Void, Int>.sequence([]).doesSomething)
        #expect(Effect<Void, Int>.sequence([]).run(context) != nil)
        let middleware = effects([1: nothing, 2: .concat(.sequence([]), .just(10))])
        let store = numberStore(middleware, outputs)
        store.dispatch(1)
        store.dispatch(2)
        #expect(outputs.all == [10])
        #expect(middleware.runningEffects == 0)
    }

    @Test("A33: associativity and two-sided identity of effect middlewares")
    func a33_laws() {
        func effects(_ number: Int) -> Effects {
            .onAction { action, _, _ in action == number ? .doNothing : .sequence(10 * action + number, number) }
        }
        func outputs(_ middleware: Effects, _ action: Int) -> [Int] {
            let outputs = Recorder<Int>()
            middleware.handle(action: action, from: .here(), state: { 0 }).run { outputs.record($0.action) }
            return outputs.all
        }
        let (a, b, c) = (effects(1), effects(2), effects(3))
        for action in 0...3 {
            #expect(outputs((a <> b) <> c, action) == outputs(a <> (b <> c), action))
            #expect(outputs(a <> .identity, action) == outputs(a, action))
            #expect(outputs(.identity <> a, action) == outputs(a, action))
        }
        #expect(outputs(a <> b <> c, 0) == [1, 1, 2, 2, 3, 3])
    }
}
