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
        _ middleware: EffectMiddleware<Int, Int, Int, Void>
    ) -> EffectMiddleware<Int, Int, Int, Void> {
        let services = BindingServices(
            position: nil,
            effects: nil,
            countVanished: nil,
            names: nil,
            hold: { [held] begin in
                held.update { $0.append(Unchecked(begin)) }
                return true
            }
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
