// SPDX-License-Identifier: Apache-2.0

import EffectTestSupport
import MillraceEffects
import TestSupport
import Testing

@Suite("Effect: policies of tokens")
struct EffectPolicyTests {
    private func effect(_ hand: Hand, _ name: String, _ policy: EffectPolicy) -> Effect<Void, Int> {
        (hand.effect(name) as Effect<Void, Int>).withToken("t", policy: policy)
    }

    @Test("keepFirst: while one is under way others are skipped")
    func keepFirst() {
        let hand = Hand()
        let rig = Rig<Int>(effect(hand, "a", .keepFirst), effect(hand, "b", .keepFirst))
        #expect(hand.log.all == ["start a"])
        #expect(rig.middleware.figures.skipped == 1)
        hand.complete("a")
        rig.middleware.run(1, rig.output)
        #expect(hand.log.all == ["start a", "start b"])
        // One that was skipped is a part that has ended.
        let whole = Rig<Int>(effect(hand, "c", .keepFirst), .concat(effect(hand, "d", .keepFirst), .just(7)))
        #expect(whole.output.actions == [7])
        #expect(!hand.log.all.contains("start d"))
    }

    @Test("serial: one after the other, in order, whoever ends it")
    func serial() {
        let hand = Hand()
        let rig = Rig<Int>(effect(hand, "a", .serial), effect(hand, "b", .serial), effect(hand, "c", .serial))
        #expect(hand.log.all == ["start a"])
        #expect(rig.middleware.figures.running == 1)
        #expect(rig.middleware.figures.waiting == 2)
        onThreads(1) { _ in hand.complete("a") }
        #expect(hand.log.all == ["start a", "start b"])
        hand.complete("b")
        hand.send("c", 3)
        hand.complete("c")
        #expect(hand.log.all == ["start a", "start b", "start c"])
        #expect(rig.output.actions == [3])
        #expect(rig.middleware.figures.total == 3)
        #expect(rig.middleware.figures.completed == 3)
    }

    @Test("concurrent: so many at once; a limit below one is one; each that comes brings its own limit")
    func concurrent() {
        let hand = Hand()
        let names = ["a", "b", "c", "d", "e"]
        let rig = Rig<Int>(
            effect(hand, "a", .concurrent(max: 2)),
            effect(hand, "b", .concurrent(max: 2)),
            effect(hand, "c", .concurrent(max: 0)),
            effect(hand, "d", .concurrent(max: 3)),
            effect(hand, "e", .concurrent(max: 3))
        )
        #expect(hand.log.all == ["start a", "start b"])
        hand.complete("b")
        #expect(hand.log.count == 2, "c wants to be alone, and the others are behind it")
        hand.complete("a")
        #expect(hand.log.all == names.map { "start \($0)" })
        for name in names { hand.complete(name) }
        #expect(rig.middleware.figures.running + rig.middleware.figures.waiting == 0)
        #expect(rig.middleware.figures.completed == 5)
    }

    @Test("replace: those that wait never begin, those at work are cancelled after the new one has begun")
    func replace() {
        let hand = Hand()
        let rig = Rig<Int>(effect(hand, "a", .serial), effect(hand, "b", .serial), effect(hand, "c", .replace))
        #expect(hand.log.all == ["start a", "start c", "cancel a"])
        #expect(rig.middleware.figures.running == 1)
        #expect(rig.middleware.figures.cancelled == 2)
        #expect(rig.middleware.figures.waiting == 0)
    }

    @Test("replace: those that wait do not begin either when the new one makes room for them")
    func replaceMakesRoom() {
        let hand = Hand()
        let rig = Rig<Int>(
            effect(hand, "a", .serial),
            effect(hand, "b", .serial),
            Effect(token: "t") { _, sink in
                hand.complete("a")
                hand.log.record("new")
                sink.complete()
            }
        )
        #expect(hand.log.all == ["start a", "new"])
        var expected = EffectFigures()
        (expected.completed, expected.cancelled) = (2, 1)
        #expect(rig.middleware.figures == expected)
    }

    @Test("replace: a part that does not start, as its whole was cancelled, replaces nobody")
    func deadReplacement() {
        let hand = Hand()
        let rig = Rig<Int>(
            effect(hand, "a", .serial),
            effect(hand, "b", .serial),
            Effect.concat(
                Effect { context, sink in
                    context.toCancel("whole").start(sink)
                    sink.complete()
                },
                effect(hand, "c", .replace)
            ).withToken("whole")
        )
        #expect(hand.log.all == ["start a"])
        #expect(rig.middleware.figures.waiting == 1)
        hand.complete("a")
        #expect(hand.log.all == ["start a", "start b"])
        hand.complete("b")
        #expect(rig.middleware.figures.running + rig.middleware.figures.waiting == 0)
    }

    /// Does something when it is released.
    private final class Parting: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        deinit { body() }
    }

    @Test("what an effect holds that waits may ask its middleware when it is released", arguments: [1, 2, 3])
    func releasedWaiting(way: Int) {
        let hand = Hand()
        let middleware = Shared<EffectMiddleware<Int, Int, Int, Void>?>(nil)
        let asked = Recorder<Int>()
        middleware.value = .onAction { action, _, _ in
            guard action == 1 else { return self.effect(hand, "a", action == 0 ? .serial : .replace) }
            let parting = Parting {
                if let waiting = middleware.value?.figures.waiting { asked.record(waiting) }
                middleware.value?.cancel("other")
            }
            let waiting = Effect<Void, Int>(token: "t", policy: .serial) { _, _ in withExtendedLifetime(parting) {} }
            return Effect.merge(waiting.named("waiting"), hand.effect("b")).withToken("whole")
        }
        middleware.value?.run(0, Output())
        middleware.value?.run(1, Output())
        #expect(asked.count == 0)
        switch way {
        case 1: middleware.value?.cancel("whole")
        case 2: middleware.value?.cancel { $0.name == "waiting" }
        default: middleware.value?.run(2, Output())
        }
        #expect(asked.all == [0])
        middleware.value?.cancelAll()
        middleware.value = nil
    }

    @Test("cancelled while it waits, by token, by predicate, with the whole or with all: it never begins")
    func cancelledWaiting() {
        for way in 0..<5 {
            let hand = Hand()
            let rig = Rig<Int>(
                effect(hand, "a", .serial),
                Effect.concat(effect(hand, "b", .serial).named("b"), hand.effect("after")).withToken("whole"),
                .toCancel("t"),
                .doNothing,
                .doNothing
            )
            if way == 0 {
                #expect(rig.middleware.figures.cancelled == 2)
            } else {
                #expect(rig.middleware.runningEffects == 1)
            }
            switch way {
            case 1: rig.middleware.cancel("t")
            case 2: rig.middleware.cancel { $0.name == "b" }
            case 3: rig.middleware.cancel("whole")
            default: rig.middleware.cancelAll()
            }
            if way == 2 { hand.complete("a") }
            #expect(!hand.log.all.contains("start b"), "way \(way)")
        }
    }

    @Test("a predicate chooses among all that are under way; those whose turn comes then begin")
    func predicate() {
        let hand = Hand()
        let rig = Rig<Int>(
            effect(hand, "a", .concurrent(max: 2)).named("x"),
            effect(hand, "b", .serial).named("x"),
            effect(hand, "c", .concurrent(max: 2)),
            hand.effect("d").named("x"),
            hand.effect("e"),
            .doNothing
        )
        #expect(hand.log.all == ["start a", "start d", "start e"])
        rig.middleware.cancel { $0.name == "x" }
        #expect(Set(hand.log.all) == ["start a", "start d", "start e", "cancel a", "cancel d", "start c"])
        #expect(rig.middleware.figures.running == 2)
        #expect(rig.middleware.figures.waiting == 0)
        #expect(rig.middleware.figures.cancelled == 3)
        hand.complete("c")
        hand.complete("e")
        #expect(rig.middleware.figures == rig.middleware.figures)
        #expect(rig.middleware.runningEffects == 0)
    }

    @Test("an effect cancels by predicate, or all, of its own middleware")
    func cancelByEffect() {
        let hand = Hand()
        let rig = Rig<Int>(
            hand.effect("a", token: "a"),
            hand.effect("b", token: "b").map { $0 },
            hand.effect("c"),
            .toCancel { $0.token == AnyHashable("b") },
            .doNothing,
            Effect.toCancelAll.map { $0 }
        )
        #expect(hand.log.all.prefix(4) == ["start a", "start b", "start c", "cancel b"])
        #expect(Set(hand.log.all.suffix(2)) == ["cancel a", "cancel c"])
        #expect(rig.middleware.runningEffects == 0)
    }

    @Test("others wait until the body has returned, though the effect has ended")
    func bodyReturns() {
        let log = Recorder<String>()
        let first = Effect<Void, Int>(token: "t", policy: .serial) { _, sink in
            onThreads(1) { _ in sink.complete() }
            log.record("end of first")
        }
        let second = Effect<Void, Int>(token: "t", policy: .serial) { _, sink in
            log.record("second")
            sink.complete()
        }
        // The second comes while the first has ended, and its body has not returned.
        let middleware = Shared<EffectMiddleware<Int, Int, Int, Void>?>(nil)
        let inner = Effect<Void, Int>(token: "t", policy: .serial) { _, sink in
            sink.complete()
            middleware.value?.run(1, Output())
            log.record("end of inner")
        }
        let effects = [first, second, inner]
        middleware.value = .onAction { action, _, _ in effects[action] }
        middleware.value?.run(0, Output())
        middleware.value?.run(2, Output())
        #expect(log.all == ["end of first", "end of inner", "second"])
        #expect(middleware.value?.runningEffects == 0)
        middleware.value = nil
    }

    @Test("a part that is not started any more, as its whole was cancelled, leaves its place to others")
    func deadPart() {
        let hand = Hand()
        let rig = Rig<Int>(
            Effect.concat(hand.effect("wait"), effect(hand, "part", .serial)).withToken("whole"),
            .toCancel("whole"),
            effect(hand, "next", .serial)
        )
        #expect(hand.log.all == ["start wait", "cancel wait", "start next"])
        #expect(rig.middleware.runningEffects == 1)
        hand.complete("next")
        #expect(rig.middleware.figures.running + rig.middleware.figures.waiting == 0)
    }

    @Test("a long row of those that wait and end at once does not grow the stack")
    func longRow() {
        let count = isSanitized ? 10_000 : 50_000
        let hand = Hand()
        let output = Output<Int>()
        let middleware = EffectMiddleware<Int, Int, Int, Void>.onAction { action, _, _ in
            action < 0
                ? (hand.effect("a") as Effect<Void, Int>).withToken("t", policy: .serial)
                : Effect.just(action).withToken("t", policy: .serial)
        }
        middleware.run(-1, output)
        for action in 0..<count { middleware.run(action, output) }
        #expect(middleware.figures.waiting == count)
        #expect(output.actions.isEmpty)
        hand.complete("a")
        #expect(output.actions == Array(0..<count))
        #expect(middleware.figures.completed == count + 1)
        #expect(middleware.figures.running + middleware.figures.waiting == 0)
    }

    @Test("a part with the token of its whole has the place of the whole, with every policy")
    func partOfItsWhole() {
        for policy in [EffectPolicy.replace, .keepFirst, .serial, .concurrent(max: 1)] {
            let hand = Hand()
            let whole = Effect.concat(effect(hand, "a", policy), effect(hand, "b", policy))
                .withToken("t", policy: policy)
            let rig = Rig<Int>(whole, .just(5).withToken("t", policy: .serial))
            hand.send("a", 1)
            hand.complete("a")
            hand.send("b", 2)
            hand.complete("b")
            // One that replaces also replaces who waits.
            #expect(rig.output.actions == (policy == .replace ? [1, 2] : [1, 2, 5]), "\(policy)")
            #expect(rig.middleware.runningEffects == 0)
        }
    }

    @Test("elements wait for their own; cancelling a token from outside reaches those of every element")
    func elements() {
        struct Item: Identifiable, Sendable { let id: Int }
        let hand = Hand()
        let base = EffectMiddleware<String, Int, Item, Void>.onAction { action, _, item in
            if action == "stop" { return .toCancelAll }
            return (hand.effect("\(action)\(item().id)") as Effect<Void, Int>).withToken("t", policy: .serial)
        }
        let middleware = base.liftToCollection(
            inputAction: { (action: ElementIDAction<Int, String>) in action },
            outputAction: { $0.action },
            stateCollection: { (_: Int) in [Item(id: 1), Item(id: 2)] }
        )
        func run(_ id: Int, _ action: String) {
            middleware.run(ElementIDAction(id: id, action: action), Output<Int>())
        }
        for action in ["a", "b"] {
            run(1, action)
            run(2, action)
        }
        #expect(hand.log.all == ["start a1", "start a2"])
        run(1, "stop")
        #expect(hand.log.all == ["start a1", "start a2", "cancel a1"])
        hand.complete("a2")
        #expect(hand.log.all.last == "start b2")
        run(1, "c")
        middleware.cancel { $0.elements == [AnyHashable(2)] }
        #expect(hand.log.all.suffix(2) == ["start c1", "cancel b2"])
        run(2, "d")
        middleware.cancel("t")
        #expect(Set(hand.log.all.suffix(2)) == ["cancel c1", "cancel d2"])
        #expect(middleware.runningEffects == 0)
    }

    @Test("policy and name stay through map, ignoringDependencies and operators")
    func traits() {
        let effect = Effect<Void, Int>.just(1).withToken("t", policy: .serial).named("n")
        let mapped: Effect<String, String> = effect.map(String.init).ignoringDependencies()
        #expect(mapped.policy == .serial)
        #expect(effect.delay(for: .seconds(1)).timeout(after: .seconds(1)).policy == .serial)
        #expect(Effect<Void, Int>.task(token: "t", policy: .keepFirst) { _ in nil }.policy == .keepFirst)
    }
}
