// SPDX-License-Identifier: Apache-2.0

import EffectTestSupport
import Millrace
import MillraceEffects
import TestSupport
import Testing

/// What a cancelled effect had sent, and still waits in the store, is not handled.
@Suite("EffectMiddleware: revocation")
struct EffectRevocationTests {
    let hand = Hand()
    let reduced = Recorder<Int>()

    /// 1 is answered by an effect that sends; 2, which is handled next, by another.
    private func store(
        _ sends: Effect<Void, Int>,
        then ends: @escaping @Sendable () -> Effect<Void, Int>
    ) -> ReduxStoreBase<Int, Int> {
        ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { [reduced] action, _ in reduced.record(action) },
            middleware: SimpleEffectMiddleware<Int, Int>.onAction { action, _, _ in
                switch action {
                case 1: sends
                case 2: ends()
                default: .doNothing
                }
            },
            engine: .caller
        )
    }

    /// Parts that have ended, two and three levels deep, in each way in which a part has a run of its own.
    private var parts: [Effect<Void, Int>] {
        let sent = Effect<Void, Int>.sequence([2, 71, 72, 73])
        return [
            sent.timeout(after: .seconds(60)),
            .merge(.just(2), .just(71).withToken("part")),
            Effect.merge(.just(2), .just(71).withToken("part")).withToken("middle"),
            .concat(
                .merge(.just(2), Effect.merge(.just(71), .just(72).withToken("inner")).withToken("outer")),
                .just(73)
            ),
            Effect.merge(.just(2), sent.timeout(after: .seconds(60))).timeout(after: .seconds(60)),
        ]
    }

    @Test("parts that have ended are revoked with the whole, however deep they lie", arguments: 0..<5, [true, false])
    func deep(index: Int, isReplaced: Bool) {
        let whole = Effect.concat(parts[index], hand.effect("slow")).withToken("whole")
        let store = store(whole) { isReplaced ? Effect { _, _ in }.withToken("whole") : .toCancel("whole") }
        store.dispatch(1)
        #expect(reduced.all == [1, 2])
        #expect(hand.log.all == ["start slow", "cancel slow"])
    }

    @Test("when the second of two cancels returns, the effects are revoked, too", arguments: [true, false])
    func secondCancel(byToken: Bool) {
        let cancel = Shared<@Sendable () -> Void>({})
        let isSecond = Shared(false)
        let middleware = SimpleEffectMiddleware<Int, Int>.onAction { [hand] action, _, _ in
            let effect: Effect<Void, Int> =
                switch action {
                case 1:
                    Effect { context, sink in
                        if byToken { cancel.value = context.toCancel("t").run }
                        sink.onCancel {
                            // In the middle of the first cancel, which has not come to the other effect.
                            if isSecond.value { return }
                            isSecond.value = true
                            cancel.value()
                            hand.send("b", 77)
                        }
                    }
                case 2: hand.effect("b")
                default: .doNothing
                }
            return effect.withToken("t", policy: .concurrent(max: 2))
        }
        if !byToken { cancel.value = middleware.cancelAll }
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { [reduced] action, _ in reduced.record(action) },
            middleware: middleware,
            engine: .caller
        )
        store.dispatch(contentsOf: [1, 2])
        cancel.value()
        #expect(isSecond.value)
        #expect(reduced.all == [1, 2])
        #expect(store.metrics.cancelled == 1)
        #expect(middleware.figures.cancelled == 2)
        cancel.value = {}
    }

    /// Effects of each kind that is begun in a way of its own: at once, in a list, under a token.
    private var kinds: [Effect<Void, Int>] {
        let over = Effect<Void, Int>.fireAndForget { [hand] in hand.log.record("start over at once") }
        return [
            over, over.withToken("t"), hand.effect("a"), hand.effect("a", token: "t"), .merge(over, hand.effect("a")),
        ]
    }

    @Test("an effect that is revoked and not yet cancelled does not begin", arguments: 0..<5)
    func revokedBefore(kind: Int) {
        let effect = kinds[kind]
        let middleware = SimpleEffectMiddleware<Int, Int>.onAction { _, _, _ in effect }
        let run = EffectRun()
        run.revoke()
        middleware.handle(action: 1, from: .here(), state: { 0 })
            .run(AnyActionHandler(sink: AnyActionHandler { _ in }.sink, run: run))
        #expect(hand.log.all == [])
        #expect(middleware.figures.running == 0)
        #expect(middleware.figures.cancelled == 1)
    }

    @Test("one that waits, and is revoked and not yet cancelled, does not begin when its turn comes")
    func revokedWhileItWaits() {
        let middleware = SimpleEffectMiddleware<Int, Int>.onAction { [hand] action, _, _ in
            (hand.effect("\(action)") as Effect<Void, Int>).withToken("t", policy: .serial)
        }
        let run = EffectRun()
        let sink = AnyActionHandler<Int> { _ in }.sink
        for action in 1...3 {
            middleware.handle(action: action, from: .here(), state: { 0 })
                .run(AnyActionHandler(sink: sink, run: action == 2 ? run : nil))
        }
        run.revoke()
        hand.complete("1")
        #expect(hand.log.all == ["start 1", "start 3"])
        #expect(middleware.figures.cancelled == 1)
        #expect(middleware.figures.running == 1)
    }
}
