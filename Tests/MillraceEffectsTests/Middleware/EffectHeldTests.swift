// SPDX-License-Identifier: Apache-2.0

import EffectTestSupport
import MillraceCore
import MillraceEffects
import TestSupport
import Testing

@Suite("EffectMiddleware: beginnings that a journal holds")
struct EffectHeldTests {
    /// A journal of the test: the beginnings that it holds.
    private let held = Shared<[Unchecked<() -> Void>]>([])
    private let hand = Hand()
    private let output = Output<Int>()

    private var middleware: EffectMiddleware<Int, Int, Int, Void> {
        .onAction { [hand] action, _, _ in
            (hand.effect("\(action)") as Effect<Void, Int>).withToken("t", policy: .serial)
        }
    }

    private func bound(
        _ middleware: EffectMiddleware<Int, Int, Int, Void>,
        makeTracker: (@Sendable () -> @Sendable () -> EffectReceipt?)? = nil
    ) -> EffectMiddleware<Int, Int, Int, Void> {
        let services = BindingServices(
            position: nil,
            effects: nil,
            countVanished: nil,
            names: nil,
            hold: { [held] begin in
                held.update { $0.append(Unchecked(begin)) }
                return true
            },
            makeTracker: makeTracker
        )
        var bound = middleware
        bound.bind(MiddlewareBinding(state: StateReader { 0 }, services: services))
        return bound
    }

    /// What a store does with an action.
    private func run(_ action: Int, _ store: EffectMiddleware<Int, Int, Int, Void>?) {
        guard let store else { return }
        _ = store.handle(action: action, from: .here(), state: { 0 })
        store.afterReduce(action: action, from: .here(), state: { 0 }, output: output.handler)
    }

    /// Returns what the journal holds, and takes it from the journal.
    private func takeHeld() -> [Unchecked<() -> Void>] {
        held.update { held in
            defer { held = [] }
            return held
        }
    }

    @Test("a beginning that the journal drops blocks its token until the store ends only", arguments: [true, false])
    func dropped(dropsFirst: Bool) {
        let other = middleware
        var store: EffectMiddleware<Int, Int, Int, Void>? = bound(other)
        run(0, store)
        other.run(1, output)
        #expect(hand.log.all == [])
        #expect(held.value.count == 1)
        if dropsFirst { _ = takeHeld() }
        store = nil
        if !dropsFirst { _ = takeHeld() }
        #expect(hand.log.all == ["start 1"])
        #expect(other.figures.running == 1)
        #expect(other.figures.cancelled == 1)
        hand.complete("1")
        #expect(other.figures.running == 0)
    }

    @Test("the parts of a part wait for the journal, too, and what comes after them waits for them")
    func partsOfParts() {
        let store = bound(
            .onAction { [hand] _, _, _ in
                .concat(.merge(hand.effect("a"), hand.effect("b")), hand.effect("c"))
            }
        )
        run(0, store)
        #expect(hand.log.all == [])
        for begin in takeHeld() { begin.value() }
        #expect(hand.log.all == ["start a", "start b"])
        for name in ["a", "b"] { hand.complete(name) }
        #expect(hand.log.all == ["start a", "start b", "start c"])
        hand.complete("c")
        #expect(store.figures.completed == 1 && store.runningEffects == 0)
    }

    @Test("parts for which there is no room are refused at once; after a cancel the next one is not even asked for")
    func refusedParts() {
        for isCancelled in [false, true] {
            let refused = Recorder<String>()
            let kept = Shared<EffectMiddleware<Int, Int, Int, Void>?>(nil)
            let options = EffectOptions(capacity: 1) { label in
                refused.record("\(label)")
                if isCancelled { kept.value?.cancel("whole") }
            }
            let store = bound(
                .onAction(options: options) { [hand] _, _, _ in
                    .merge(hand.effect("a", token: "a"), hand.effect("b", token: "b")).withToken("whole")
                }
            )
            kept.value = store
            run(0, store)
            #expect(refused.all == (isCancelled ? ["a"] : ["a", "b"]))
            for begin in takeHeld() { begin.value() }
            #expect(hand.log.all == [])
            #expect(store.runningEffects == 0)
            #expect(store.figures.cancelled == (isCancelled ? 2 : 0), "the whole, and the part that was not asked for")
            kept.value = nil
        }
    }

    private final class Receipts: EffectReceipts {
        func ended(_ receipt: EffectReceipt, wasCancelled: Bool, wasImmediate: Bool) {}
    }

    @Test("an effect that had ended before a crash takes no turn behind the others of its token")
    func endedBefore() {
        let (receipts, number) = (Receipts(), Shared<UInt64>(0))
        let store = bound(middleware) {
            {
                let sequence = number.update { number in
                    number += 1
                    return number
                }
                return EffectReceipt(receipts, journal: (1, 2), sequence: sequence, index: 0, hasEnded: sequence == 2)
            }
        }
        for action in 0..<3 { run(action, store) }
        #expect(store.figures.completed == 1)
        for begin in takeHeld() { begin.value() }
        #expect(hand.log.all == ["start 0"])
        hand.complete("0")
        #expect(hand.log.all == ["start 0", "start 2"])
        hand.complete("2")
        #expect(store.figures.completed == 3 && store.runningEffects == 0)
    }

    @Test("of two beginnings that a journal holds, the first to be durable does not pass the one before it")
    func inOrder() {
        let store = bound(middleware)
        run(0, store)
        run(1, store)
        let begins = takeHeld()
        begins[1].value()
        #expect(hand.log.all == [])
        begins[0].value()
        #expect(hand.log.all == ["start 0"])
        hand.complete("0")
        #expect(hand.log.all == ["start 0", "start 1"])
        store.cancelAll()
    }
}
