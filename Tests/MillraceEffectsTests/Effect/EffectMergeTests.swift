// SPDX-License-Identifier: Apache-2.0

import EffectTestSupport
import MillraceEffects
import TestSupport
import Testing

@Suite("Effect: merge and concat")
struct EffectMergeTests {
    @Test("merge starts all at once and ends with the last")
    func merge() {
        let hand = Hand()
        let rig = Rig<Int>(.concat(.merge(hand.effect("a"), .just(1), hand.effect("b")), .just(2)))
        #expect(hand.log.all == ["start a", "start b"])
        hand.complete("b")
        #expect(rig.output.actions == [1])
        hand.send("a", 5)
        hand.complete("a")
        #expect(rig.output.actions == [1, 5, 2])
        #expect(rig.middleware.runningEffects == 0)
    }

    @Test("concat starts each when the one before has ended, also by being cancelled")
    func concat() {
        let hand = Hand()
        let rig = Rig<Int>(
            .concat(hand.effect("a"), hand.effect("b", token: "b"), hand.effect("c")),
            .toCancel("b"),
            .doNothing
        )
        #expect(hand.log.all == ["start a"])
        hand.complete("a")
        #expect(hand.log.all == ["start a", "start b"])
        rig.middleware.run(1, rig.output)
        #expect(hand.log.all == ["start a", "start b", "cancel b", "start c"])
        hand.complete("c")
        #expect(rig.middleware.runningEffects == 0)
    }

    @Test("parts that do nothing leave nothing; one that is left is itself")
    func nothing() {
        #expect(!Effect<Void, Int>.merge(.doNothing, .doNothing).doesSomething)
        #expect(!Effect<Void, Int>.concat([]).doesSomething)
        let one: Effect<Void, Int> = Hand().effect("a", token: "t")
        #expect(Effect.merge(.doNothing, one).token == AnyHashable("t"))
        #expect(Effect.concat(one, .doNothing).token == AnyHashable("t"))
    }

    @Test("cancelling the whole cancels every part, and starts no further one")
    func cancelWhole() {
        let hand = Hand()
        let rig = Rig<Int>(
            Effect.merge(hand.effect("a"), .concat(hand.effect("b", token: "b"), hand.effect("c"))).withToken("all"),
            .toCancel("all")
        )
        #expect(hand.log.all == ["start a", "start b", "cancel a", "cancel b"])
        hand.send("a", 1)
        hand.send("b", 2)
        #expect(rig.output.actions.isEmpty)
        #expect(rig.middleware.runningEffects == 0)
    }

    @Test("a part that is not started any more replaces nobody, and leaves nothing")
    func deadPart() {
        let hand = Hand()
        let rig = Rig<Int>(
            hand.effect("other", token: "request"),
            .concat(hand.effect("wait"), hand.effect("ask", token: "request")).withToken("search"),
            .toCancel("search")
        )
        #expect(hand.log.all == ["start other", "start wait", "cancel wait"])
        #expect(hand.isCancelled("other") == false)
        #expect(rig.middleware.runningEffects == 1)
        hand.complete("other")
        #expect(rig.middleware.runningEffects == 0)
    }

    @Test("cancelling everything starts nothing, whatever order the parts come in")
    func cancelAllStartsNothing() {
        for whole in [nil, "whole"] {
            let hand = Hand()
            let row = Effect<Void, Int>.concat(hand.effect("a", token: "a"), hand.effect("b"), .just(7))
            let rig = Rig<Int>(whole.map { row.withToken($0) } ?? row)
            rig.middleware.cancelAll()
            #expect(hand.log.all == ["start a", "cancel a"])
            #expect(rig.output.actions.isEmpty)
            #expect(rig.middleware.runningEffects == 0)
        }
    }

    @Test("a part with the token of its whole does not cancel it")
    func partOfItsWhole() {
        let hand = Hand()
        let rig = Rig<Int>(.concat(hand.effect("a", token: "t"), hand.effect("b")).withToken("t"))
        hand.send("a", 1)
        hand.complete("a")
        hand.send("b", 2)
        hand.complete("b")
        #expect(rig.output.actions == [1, 2])
        #expect(rig.middleware.runningEffects == 0)
    }

    @Test("a part is cancelled by its own token, and the rest goes on")
    func cancelPart() {
        let hand = Hand()
        let rig = Rig<Int>(
            .merge(hand.effect("a", token: "a"), hand.effect("b", token: "b")),
            .toCancel("a")
        )
        hand.send("a", 1)
        hand.send("b", 2)
        #expect(rig.output.actions == [2])
        hand.complete("b")
        #expect(rig.middleware.runningEffects == 0)
    }

    @Test("an effect that has ended keeps nothing that was to follow it, also while somebody keeps its sink")
    func endedSinks() {
        let alive = Shared(0)
        let sinks = Shared<[EffectSink<DispatchedAction<Int>>]>([])
        do {
            let witness = Alive(alive)
            let kept = Effect<Void, Int> { _, sink in sinks.update { $0.append(sink) } }
            let follower = Effect<Void, Int>.fireAndForget { withExtendedLifetime(witness) {} }
            let rig = Rig<Int>(.concat(kept, follower), .concat(kept, follower))
            sinks.value[0].complete()
            #expect(alive.value == 1)
            rig.middleware.cancelAll()
        }
        #expect(alive.value == 0)
        #expect(sinks.value.map(\.isCancelled) == [false, true])
    }

    @Test("a long row of parts that end at once does not grow the stack")
    func longRow() {
        let count = isSanitized ? 20_000 : 200_000
        let row = (0..<count).map { Effect<Void, Int>.just($0) }
        let rig = Rig<Int>(.concat(row))
        #expect(rig.output.actions == Array(0..<count))
        #expect(rig.middleware.runningEffects == 0)
    }
}
