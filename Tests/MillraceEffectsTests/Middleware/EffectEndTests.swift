// SPDX-License-Identifier: Apache-2.0

import EffectTestSupport
import Millrace
import MillraceEffects
import TestSupport
import Testing

/// The end of a store cancels what this store has started, although a copy of its middleware is kept.
@Suite("EffectMiddleware: the end of a store")
struct EffectEndTests {
    let hand = Hand()

    private func store(
        _ middleware: some MiddlewareProtocol<Int, Int, [Int]> & Sendable
    ) -> ReduxStoreBase<Int, [Int]> {
        ReduxStoreBase(
            initialState: [],
            reducer: Reducer<Int, [Int]>.reduce { action, state in state.append(action) },
            middleware: middleware,
            engine: .caller
        )
    }

    @Test("a shutdown cancels the effects of its store, those that wait included; another store's go on")
    func shutdown() async {
        let middleware = SimpleEffectMiddleware<Int, [Int]>.onAction { [hand] action, _, _ in
            guard action < 10 else { return .doNothing }
            return hand.effect("\(action)").withToken("shared", policy: .serial)
        }
        let (first, second) = (store(middleware), store(middleware))
        first.dispatch(1)  // begins
        first.dispatch(2)  // waits for 1
        second.dispatch(3)  // waits for 2
        #expect(hand.log.all == ["start 1"])
        #expect(await first.shutdown().isComplete)
        #expect(hand.log.all == ["start 1", "cancel 1", "start 3"])
        #expect(middleware.figures.running == 1 && middleware.figures.waiting == 0)
        hand.send("3", 30)
        #expect(second.state == [3, 30])
        #expect(await second.shutdown().isComplete)
        #expect(hand.log.all.last == "cancel 3" && middleware.runningEffects == 0)
    }

    @Test("so does the release of a store, under an element lift, too")
    func elements() async {
        let middleware = SimpleEffectMiddleware<Int, Int>.onAction { [hand] action, _, _ in hand.effect("\(action)") }
        let lifted = middleware.named("inner").liftToOptional(state: { (state: [Int]) in state.count })
        do {
            let store = store(lifted)
            store.dispatch(1)
            #expect(hand.log.all == ["start 1"])
        }
        #expect(await eventually { hand.log.all == ["start 1", "cancel 1"] })
        #expect(middleware.runningEffects == 0)
    }

    @Test("so does the end of a store with supervised effects")
    func supervised() async {
        let middleware = EffectMiddleware<Int, Int, [Int], Void>.supervise(by: { $0 }) { [hand] numbers in
            numbers.map { SupervisedEffect($0, definition: 0, hand.effect("\($0)")) }
        }
        let (first, second) = (store(middleware), store(middleware))
        first.dispatch(1)
        second.dispatch(2)
        #expect(await first.shutdown().isComplete)
        #expect(hand.log.all == ["start 1", "start 2", "cancel 1"])
        #expect(middleware.runningEffects == 1)
    }
}
