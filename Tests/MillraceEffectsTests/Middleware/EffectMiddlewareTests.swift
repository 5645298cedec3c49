// SPDX-License-Identifier: Apache-2.0

import EffectTestSupport
import Millrace
import MillraceEffects
import TestSupport
import Testing

@Suite("EffectMiddleware")
struct EffectMiddlewareTests {
    private func middleware(
        _ effects: [Int: Effect<Void, Int>]
    ) -> EffectMiddleware<Int, Int, Int, Void> {
        .onAction { action, _, _ in effects[action] ?? .doNothing }
    }

    @Test("A19: a token in use: the new effect is started, then the old one is cancelled")
    func a19_replacement() {
        let hand = Hand()
        let output = Output<Int>()
        let middleware = middleware([1: hand.effect("a", token: "t"), 2: hand.effect("b", token: "t")])
        middleware.run(1, output)
        middleware.run(2, output)
        #expect(hand.log.all == ["start a", "start b", "cancel a"])
        hand.send("a", 1)
        hand.send("b", 2)
        #expect(output.actions == [2])
        #expect(middleware.runningEffects == 1)
    }

    @Test("A20: the end of an old effect does not remove the new one of its token")
    func a20_lateCompletion() {
        let hand = Hand()
        let output = Output<Int>()
        let middleware = middleware([
            1: hand.effect("a", token: "t"), 2: hand.effect("b", token: "t"), 3: .toCancel("t"),
        ])
        middleware.run(1, output)
        middleware.run(2, output)
        hand.complete("a")
        #expect(middleware.runningEffects == 1)
        hand.send("b", 1)
        #expect(output.actions == [1])
        middleware.run(3, output)
        #expect(hand.log.all.last == "cancel b")
        #expect(middleware.runningEffects == 0)
    }

    @Test("A20: what completes while it is started leaves nothing, with and without a token")
    func a20_synchronousCompletion() {
        let output = Output<Int>()
        let middleware = middleware([1: Effect.just(1).withToken("t"), 2: .just(2)])
        for _ in 0..<100 {
            middleware.run(1, output)
            middleware.run(2, output)
        }
        #expect(output.actions.count == 200)
        #expect(middleware.runningEffects == 0)
    }

    @Test("A20: an effect without a token is forgotten when it ends")
    func a20_untokened() {
        let hand = Hand()
        let middleware = middleware([1: hand.effect("a")])
        middleware.run(1, Output())
        #expect(middleware.runningEffects == 1)
        hand.complete("a")
        #expect(middleware.runningEffects == 0)
    }

    struct Colliding: Hashable, Sendable {
        let name: String
        func hash(into hasher: inout Hasher) {}
    }

    @Test("A18: tokens of one hash value are two tokens")
    func a18_equality() {
        let hand = Hand()
        let (a, b) = (Colliding(name: "a"), Colliding(name: "b"))
        let middleware = middleware([
            1: hand.effect("a").withToken(a), 2: hand.effect("b").withToken(b), 3: .toCancel(a),
        ])
        for action in 1...3 { middleware.run(action, Output()) }
        #expect(hand.log.all == ["start a", "start b", "cancel a"])
        #expect(middleware.runningEffects == 1)
    }

    @Test("a token may be an optional on its way: it is the token of its value, and nil is none")
    func optionalTokens() {
        let hand = Hand()
        let (some, none): (String?, String?) = ("t", nil)
        let middleware = middleware([
            1: hand.effect("a", token: "t"), 2: .toCancel(none), 3: .toCancel(some),
            4: hand.effect("b").withToken(some), 5: .toCancel("t"),
            6: hand.effect("c").withToken(none), 7: hand.effect("d").withToken(none),
        ])
        for action in 1...7 { middleware.run(action, Output()) }
        #expect(hand.log.all == ["start a", "cancel a", "start b", "cancel b", "start c", "start d"])
        #expect(middleware.runningEffects == 2)
    }

    @Test("A22: an unknown token is ignored, and toCancel completes, so that things can follow it")
    func a22_unknownToken() {
        let hand = Hand()
        let output = Output<Int>()
        let middleware = middleware([1: hand.effect("a", token: "t"), 2: .concat(.toCancel("other"), .just(7))])
        middleware.run(1, output)
        middleware.run(2, output)
        #expect(hand.log.all == ["start a"])
        #expect(output.actions == [7])
        #expect(middleware.runningEffects == 1)
    }

    @Test("A22: toCancel reaches what the same base middleware started, not what the other of a composition did")
    func a22_scope() {
        let hand = Hand()
        let output = Output<Int>()
        let first = middleware([1: hand.effect("a", token: "t"), 2: .toCancel("t")])
        let second = middleware([1: hand.effect("b", token: "t")])
        let composed = first <> second
        composed.run(1, output)
        composed.run(2, output)
        #expect(hand.log.all == ["start a", "start b", "cancel a"])
        #expect(composed.runningEffects == 1)
        #expect(first.runningEffects == 0)
        #expect(second.runningEffects == 1)
    }

    @Test("A22: toCancel works through lifts, and for every lift of one base")
    func a22_lifted() {
        let hand = Hand()
        let output = Output<String>()
        let base = middleware([1: hand.effect("a", token: "t"), 2: .toCancel("t")])
        let one = base.lift(inputAction: { (text: String) in Int(text) }, outputAction: { "one \($0)" }, state: { $0 })
        let two = base.lift(inputAction: { (text: String) in Int(text) }, outputAction: { "two \($0)" })
        one.run("1", output)
        hand.send("a", 5)
        two.run("2", output)
        hand.send("a", 6)
        #expect(hand.log.all == ["start a", "cancel a"])
        #expect(output.actions == ["one 5"])
    }

    @Test("an effect that is cancelled while it is started was not to be heard")
    func cancelledWhileStarting() {
        let output = Output<Int>()
        let log = Recorder<String>()
        let middleware = EffectMiddleware<Int, Int, Int, Void>.onAction { _, _, _ in
            Effect(token: "t") { context, sink in
                sink.send(DispatchedAction(1))
                context.toCancel("t").run()
                sink.send(DispatchedAction(2))
                sink.onCancel { log.record("told at once") }
            }
        }
        middleware.run(0, output)
        #expect(output.actions == [1])
        #expect(log.all == ["told at once"])
        #expect(middleware.runningEffects == 0)
    }

    @Test("releasing the middleware cancels all it runs, and lets go of it")
    func release() {
        let hand = Hand()
        let output = Output<Int>()
        let alive = Shared(0)
        do {
            let witness = Alive(alive)
            let middleware = EffectMiddleware<Int, Int, Int, Void>.onAction { action, _, _ in
                withExtendedLifetime(witness) {}
                return action == 0 ? hand.effect("a") : hand.effect("b", token: "t")
            }
            let lifted = middleware.lift(inputAction: { (action: Int) in action })
            lifted.run(0, output)
            lifted.run(1, output)
            #expect(hand.log.all == ["start a", "start b"])
        }
        #expect(hand.log.all.sorted() == ["cancel a", "cancel b", "start a", "start b"])
        #expect(alive.value == 0)
        hand.send("a", 1)
        hand.send("b", 1)
        #expect(output.actions.isEmpty)
    }

    @Test("no lock is held while an effect is started or cancelled, or while a token goes away")
    func noLockHeld() {
        final class Token: Hashable, Sendable {
            let onEnd: @Sendable () -> Void
            init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
            deinit { onEnd() }
            static func == (lhs: Token, rhs: Token) -> Bool { lhs === rhs }
            func hash(into hasher: inout Hasher) {}
        }
        // Each looks at the registry, on another thread: were a lock held, that would wait for ever.
        let log = Recorder<String>()
        let look = Shared<@Sendable (String) -> Void>({ _ in })
        let middleware = EffectMiddleware<Int, Int, Int, Void>.onAction { action, _, _ in
            Effect(token: Token { look.value("token") }) { _, sink in
                look.value("start")
                sink.onCancel { look.value("cancel") }
                if action == 1 { sink.complete() }
            }
        }
        look.value = { what in
            onThreads(1) { _ in log.record("\(what) \(middleware.runningEffects)") }
        }
        middleware.run(0, Output())
        middleware.run(1, Output())
        middleware.cancelAll()
        #expect(log.all.first == "start 1")
        #expect(Set(log.all) == ["start 1", "start 2", "token 1", "cancel 0", "token 0"])
        look.value = { _ in }
    }
}

extension FireAndForget {
    /// Does the work.
    func run() {
        start(EffectSink<IgnoringOutput>.standalone(onElement: { _ in }, completed: {}).sink)
    }
}
