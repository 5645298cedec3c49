// SPDX-License-Identifier: Apache-2.0

import EffectTestSupport
import Millrace
import MillraceEffects
import TestSupport
import Testing

@Suite("SupervisingMiddleware")
struct SupervisingMiddlewareTests {
    struct AppState: Sendable, Equatable {
        var rooms: [String: Int] = [:]
        var other = 0
    }

    enum AppAction: Sendable {
        case open(String, Int), close(String), other, effect(Int)
    }

    let hand = Hand()
    let asked = Shared(0)
    let reducer = Reducer<AppAction, AppState>.reduce { action, state in
        switch action {
        case .open(let room, let server): state.rooms[room] = server
        case .close(let room): state.rooms[room] = nil
        case .other: state.other += 1
        case .effect(let number): state.other += number
        }
    }

    private func middleware() -> SupervisingMiddleware<AppAction, AppAction, AppState, Void> {
        EffectMiddleware<AppAction, AppAction, AppState, Void>.supervise(by: \.rooms) { [hand, asked] rooms in
            asked.update { $0 += 1 }
            return rooms.sorted { $0.key < $1.key }.map { room, server in
                SupervisedEffect(room, definition: server, hand.effect("\(room)@\(server)").map { .effect($0) })
            }
        }
    }

    private func store(
        _ middleware: SupervisingMiddleware<AppAction, AppAction, AppState, Void>
    ) -> ReduxStoreBase<AppAction, AppState> {
        ReduxStoreBase(initialState: AppState(), reducer: reducer, middleware: middleware, engine: .caller)
    }

    @Test("effects are started, stopped, and started anew when their definition changes, as the state asks")
    func keeps() {
        let middleware = middleware()
        let store = store(middleware)
        store.dispatch(.open("a", 1))
        store.dispatch(.open("b", 1))
        #expect(hand.log.all == ["start a@1", "start b@1"])
        store.dispatch(.open("a", 2))
        #expect(hand.log.all.dropFirst(2) == ["start a@2", "cancel a@1"])
        store.dispatch(.close("b"))
        #expect(hand.log.all.last == "cancel b@1")
        #expect(middleware.runningEffects == 1)
        hand.send("a@2", 10)
        hand.send("a@1", 100)
        #expect(store.state.other == 10)
        #expect(middleware.figures.cancelled == 2)
    }

    @Test("nobody is asked while the selected part is equal")
    func unchanged() {
        let store = store(middleware())
        store.dispatch(.other)
        #expect(asked.value == 1)
        for _ in 0..<100 { store.dispatch(.other) }
        #expect(asked.value == 1)
        store.dispatch(.open("a", 1))
        store.dispatch(.open("a", 1))
        #expect(asked.value == 2)
        #expect(hand.log.all == ["start a@1"])
    }

    @Test("what ended by itself, or was cancelled from outside, begins again only when it is asked for anew")
    func ends() {
        let middleware = middleware()
        let store = store(middleware)
        store.dispatch(.open("a", 1))
        hand.complete("a@1")
        store.dispatch(.open("b", 1))
        middleware.cancelAll()
        store.dispatch(.open("c", 1))
        #expect(hand.log.all == ["start a@1", "start b@1", "cancel b@1", "start c@1"])
        store.dispatch(.close("a"))
        store.dispatch(.open("a", 1))
        store.dispatch(.open("b", 2))
        #expect(hand.log.all.suffix(2) == ["start a@1", "start b@2"])
    }

    @Test("lifted in outputs and state it sees every action; composed it keeps its effects; the store's end is theirs")
    func lifted() async {
        let base = EffectMiddleware<Bool, Int, Int, Hand>.supervise(by: { $0 % 2 }) { [hand] odd in
            odd == 1 ? [SupervisedEffect("odd", hand.effect("odd"))] : []
        }
        do {
            let lifted = base.inject(hand).lift(inputAction: { (_: Int) in true }, outputAction: { $0 }, state: { $0 })
            let store = ReduxStoreBase(
                initialState: 0,
                reducer: Reducer<Int, Int>.reduce { action, state in state += action },
                middleware: lifted <> IdentityMiddleware<Int, Int, Int>(),
                engine: .caller
            )
            store.dispatch(1)
            #expect(hand.log.all == ["start odd"])
            hand.send("odd", 2)
            #expect(store.state == 3)
            store.dispatch(1)
            #expect(hand.log.all == ["start odd", "cancel odd"])
            store.dispatch(1)
            await store.drain()
        }
        // An effect keeps an output, so the store ends in a later turn.
        #expect(await eventually { hand.log.all.count == 4 })
        #expect(hand.log.all == ["start odd", "cancel odd", "start odd", "cancel odd"])
    }

    @Test("lifted to what is not always there it keeps its effects, and each store's remember what that store has seen")
    func liftedToOptional() {
        let supervising = middleware()
        func store() -> ReduxStoreBase<AppAction, AppState?> {
            ReduxStoreBase(
                initialState: AppState(),
                reducer: Reducer<AppAction, AppState?>.reduce { [reducer] action, state in
                    if var app = state {
                        reducer.reduce(action, &app)
                        state = app
                    }
                },
                middleware: supervising.liftToOptional(state: { $0 }),
                engine: .caller
            )
        }
        let stores = (store(), store())
        stores.0.dispatch(.open("a", 1))
        #expect(hand.log.all == ["start a@1"])
        stores.0.dispatch(.other)
        #expect(asked.value == 1)
        hand.send("a@1", 10)
        #expect(stores.0.state?.other == 11)
        // The other one has not seen this.
        stores.1.dispatch(.open("a", 1))
        #expect(asked.value == 2)
        #expect(supervising.hasAfterReduce == false)
    }

    @Test(
        "of two effects with one key the first counts; a key that is nil asks for nothing; no store is needed"
    )
    func keys() {
        let middleware = EffectMiddleware<Int, Int, Int, Void>.supervise { [hand] state in
            let none: String? = nil
            return [
                SupervisedEffect("a", definition: state / 10, hand.effect("a\(state)")),
                SupervisedEffect("a", definition: -1, hand.effect("second")),
                SupervisedEffect(none, hand.effect("none")),
                SupervisedEffect("nothing", .doNothing),
            ]
        }
        for state in [1, 2, 11] {
            middleware.handle(action: 0, from: .here(), state: { state }).run(Output<Int>().handler)
        }
        #expect(hand.log.all == ["start a1", "start a11", "cancel a1"])
        #expect(middleware.runningEffects == 1)
    }
}
