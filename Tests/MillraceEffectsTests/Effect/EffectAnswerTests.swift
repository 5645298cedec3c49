// SPDX-License-Identifier: Apache-2.0

import EffectTestSupport
import MillraceEffects
import TestSupport
import Testing

/// An effect that only sends one action is sent without an object for its run, if nothing has to find the run.
@Suite("Effect.just: the short way and the long one")
struct EffectAnswerTests {
    @Test("a token that is in use is replaced, after the action was sent")
    func replaces() {
        let hand = Hand()
        let output = Output<Int>()
        let middleware = SimpleEffectMiddleware<Int, Int>.onAction { action, _, _ in
            action == 0 ? hand.effect("long", token: "t") : .just(action).withToken("t")
        }
        for action in 0...2 { middleware.run(action, output) }
        #expect(output.actions == [1, 2])
        #expect(hand.log.all == ["start long", "cancel long"])
        var expected = EffectFigures()
        (expected.completed, expected.cancelled) = (2, 1)
        #expect(middleware.figures == expected)
    }

    @Test("each policy sees the effects that are under way", arguments: [EffectPolicy.keepFirst, .serial])
    func policies(_ policy: EffectPolicy) {
        let hand = Hand()
        let output = Output<Int>()
        let middleware = SimpleEffectMiddleware<Int, Int>.onAction { action, _, _ in
            action == 0 ? hand.effect("long", token: "t") : .just(action).withToken("t", policy: policy)
        }
        middleware.run(0, output)
        middleware.run(1, output)
        #expect(output.actions == [])
        hand.complete("long")
        #expect(output.actions == (policy == .serial ? [1] : []))
        middleware.run(2, output)
        #expect(output.actions.last == 2)
    }

    @Test("no effect of the token begins while it sends, unless the policy is to replace")
    func whileItSends() throws {
        for (policy, expected) in [(EffectPolicy.keepFirst, [1]), (.serial, [1, 2]), (.replace, [1, 2])] {
            let sent = Recorder<Int>()
            let middleware = SimpleEffectMiddleware<Int, Int>.onAction { action, _, _ in
                .just(action).withToken("t", policy: policy)
            }
            middleware.handle(action: 1, from: .here(), state: { 0 }).run(
                AnyActionHandler { action in
                    // Another effect of the token, before the first one has sent its action.
                    if action.action == 1 {
                        middleware.handle(action: 2, from: .here(), state: { 0 }).run(
                            AnyActionHandler { sent.record($0.action) }
                        )
                        if policy == .serial { #expect(sent.all == []) }
                    }
                    sent.record(action.action)
                }
            )
            #expect(sent.all.sorted() == expected, "\(policy)")
        }
    }

    @Test("with a token it is refused when the capacity is used up, without one it is not")
    func capacity() {
        let hand = Hand()
        let output = Output<Int>()
        let options = EffectOptions(capacity: 1)
        let middleware = SimpleEffectMiddleware<Int, Int>.onAction(options: options) { action, _, _ in
            switch action {
            case 0: hand.effect("long")
            case 1: .just(action).withToken("t")
            default: .just(action)
            }
        }
        for action in 0...2 { middleware.run(action, output) }
        #expect(output.actions == [2])
        #expect(middleware.figures.refused == 1)
    }

    @Test("an observer is told of it")
    func observed() {
        let observer = Observer()
        let output = Output<Int>()
        let options = EffectOptions(observer: observer)
        let middleware = SimpleEffectMiddleware<Int, Int>.onAction(options: options) { action, _, _ in
            .just(action).named("answer")
        }
        middleware.run(1, output)
        #expect(output.actions == [1])
        #expect(observer.log.all == ["began answer", "ended"])
    }

    @Test("tokens of two types are equal if they are equal as AnyHashable, also optional ones")
    func equality() {
        let hand = Hand()
        let output = Output<Int>()
        let middleware = SimpleEffectMiddleware<Int, Int>.onAction { action, _, _ in
            let long: Effect<Void, Int> = hand.effect("\(action)")
            switch action {
            case 0: return long.withToken(7)
            case 1: return long.withToken(UInt8(7))
            case 2: return long.withToken(Int64(7))
            case 3: return long.withToken(Optional(7))
            case 4: return long.withToken(Int?.none)
            default: return long.withToken(8)
            }
        }
        // Twice: the type of the token that came last is remembered.
        for _ in 0..<2 {
            for action in 0...5 { middleware.run(action, output) }
            #expect(middleware.runningEffects == 3)
            for action in 0...2 { #expect(hand.isCancelled("\(action)") == true) }
            for action in 3...5 { #expect(hand.isCancelled("\(action)") == false) }
            middleware.cancelAll()
        }
    }
}

/// The token of an answer, which is kept without an object where that is possible.
@Suite("Effect.just with a token of any kind")
struct AnswerTokenTests {
    private enum Name: Hashable { case search, save }
    /// 16 bytes. The tokens of the tests differ in the second half only.
    private struct Pair: Hashable {
        var first: UInt64 = 1
        var second: UInt64
    }
    private struct Large: Hashable {
        var first: UInt64 = 1
        var second: UInt64 = 2
        var third: UInt64
    }
    /// Equal by its number, whatever else it holds.
    private struct Custom: Hashable {
        var number: Int32
        var rest: Int32
        static func == (lhs: Custom, rhs: Custom) -> Bool { lhs.number == rhs.number }
        func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }
    private final class Object: Hashable, Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
        static func == (lhs: Object, rhs: Object) -> Bool { lhs.number == rhs.number }
        func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }

    /// Expects that an answer with a token equal to `one` replaces the effect of `one`, and that one with the token
    /// `other` does not.
    private func expect<Token: Hashable & Sendable>(_ one: Token, _ same: Token, _ other: Token) {
        let hand = Hand()
        let output = Output<Int>()
        let middleware = SimpleEffectMiddleware<Int, Int>.onAction { action, _, _ in
            switch action {
            case 0: hand.effect("long").withToken(one)
            case 1: .just(action).withToken(other)
            default: .just(action).withToken(same)
            }
        }
        // Twice: the first token of a type is not kept in place.
        for _ in 0..<2 {
            middleware.run(0, output)
            middleware.run(1, output)
            #expect(hand.isCancelled("long") == false, "\(other)")
            middleware.run(2, output)
            #expect(hand.isCancelled("long") == true, "\(same)")
        }
        #expect(output.actions == [1, 2, 1, 2])
        #expect(middleware.runningEffects == 0)
        let effect = Effect<Void, Int>.just(1).withToken(same)
        #expect(effect.token == AnyHashable(one))
        #expect(effect.policy == .replace)
    }

    @Test("it replaces the effects of equal tokens, and no others")
    func kinds() {
        expect(7, 7, 8)
        expect("t", "t", "u")
        let long = String(repeating: "a long text ", count: 9)
        expect(long + "1", long + "1", long + "2")
        expect(Name.save, .save, .search)
        expect(Pair(second: 7), Pair(second: 7), Pair(second: 8))
        expect(Large(third: 7), Large(third: 7), Large(third: 8))
        expect(Custom(number: 7, rest: 1), Custom(number: 7, rest: 2), Custom(number: 8, rest: 1))
        expect(Object(7), Object(7), Object(8))
        expect([7], [7], [8])
        expect(7.5, 7.5, 8.5)
        expect(Optional(7), Optional(7), Optional(8))
    }

    @Test("nil is no token")
    func none() {
        for _ in 0..<2 {
            #expect(Effect<Void, Int>.just(1).withToken(Int?.none).token == nil)
            #expect(Effect<Void, Int>.just(1).withToken(Name?.none).token == nil)
            // The next round must not take nil for a token because this type had one that was not nil.
            #expect(Effect<Void, Int>.just(1).withToken(Name?.some(.save)).token == AnyHashable(Name.save))
            #expect(Effect<Void, Int>.just(1).withToken(Int?.some(7)).token == AnyHashable(7))
        }
    }

    @Test("copies of an effect have tokens of their own; the last token counts")
    func copies() {
        let effect = Effect<Void, Int>.just(1)
        let first = effect.withToken(1)
        let second = effect.withToken("2")
        let third = first.withToken(3)
        #expect(
            [effect.token, first.token, second.token, third.token] == [
                nil, AnyHashable(1), AnyHashable("2"), AnyHashable(3),
            ]
        )
    }

    @Test("a name and a policy are kept, whichever comes first")
    func names() {
        let named = Effect<Void, Int>.just(1).named("n").withToken(7)
        let later = Effect<Void, Int>.just(1).withToken(7).named("n")
        #expect(named.description == "Effect(\"n\", token: 7, policy: replace)")
        #expect(later.description == named.description)
        let serial = Effect<Void, Int>.just(1).withToken(7).withToken(8, policy: .serial)
        #expect(serial.description == "Effect(token: 8, policy: serial)")
    }
}

private final class Observer: EffectObserver {
    let log = Recorder<String>()

    func effectBegan(_ run: UInt64, name: @autoclosure () -> String, cause: ActionCause) {
        log.record("began \(name())")
    }

    func effectEnded(_ run: UInt64, wasCancelled: Bool) { log.record(wasCancelled ? "cancelled" : "ended") }
}
