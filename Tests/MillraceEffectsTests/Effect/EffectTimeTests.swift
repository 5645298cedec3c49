// SPDX-License-Identifier: Apache-2.0

import EffectTestSupport
import Millrace
import MillraceEffects
import TestSupport
import Testing

@Suite("Effect: time", .timeLimit(.minutes(5)))
struct EffectTimeTests {
    let clock = ManualClock()
    let hand = Hand()
    let output = Output<Int>()

    private func middleware(
        _ effect: @escaping @Sendable (Int) -> Effect<Void, Int>
    ) -> EffectMiddleware<Int, Int, Int, Void> {
        .onAction(options: EffectOptions(clock: clock)) { action, _, _ in effect(action) }
    }

    @Test("delay: it begins when its time has come, and not when it is cancelled before")
    func delay() async {
        let middleware = middleware { [hand] action in
            action < 0
                ? .toCancel("t")
                : (hand.effect("\(action)") as Effect<Void, Int>).delay(for: .seconds(2)).withToken("t")
        }
        middleware.run(1, output)
        await clock.waitForSleepers(1)
        clock.advance(by: .milliseconds(1999))
        #expect(clock.sleepers == 1)
        #expect(hand.log.all.isEmpty)
        clock.advance(by: .milliseconds(1))
        #expect(await eventually { hand.log.count == 1 })
        hand.send("1", 5)
        hand.complete("1")
        #expect(output.actions == [5])
        middleware.run(2, output)
        await clock.waitForSleepers(1)
        middleware.run(-1, output)
        await clock.waitForSleepers(0)
        clock.advance(by: .seconds(5))
        #expect(hand.log.all == ["start 1"])
        #expect(middleware.runningEffects == 0)
        #expect(!Effect<Void, Int>.doNothing.delay(for: .seconds(1)).doesSomething)
    }

    @Test("debounce: only the last of a burst, once nothing came for so long; it replaces what is at work")
    func debounce() async {
        let middleware = middleware { [hand] action in
            (hand.effect("\(action)") as Effect<Void, Int>).debounce(for: .milliseconds(300), token: "t")
        }
        for action in 1...3 {
            middleware.run(action, output)
            await clock.waitForSleepers(1)
            clock.advance(by: .milliseconds(200))
        }
        #expect(hand.log.all.isEmpty)
        clock.advance(by: .milliseconds(100))
        #expect(await eventually { hand.log.count == 1 })
        #expect(hand.log.all == ["start 3"])
        #expect(middleware.figures.cancelled == 2)
        middleware.run(4, output)
        #expect(hand.log.all == ["start 3", "cancel 3"])
        middleware.cancelAll()
        await clock.waitForSleepers(0)
    }

    @Test("throttle: the first at once, of the others the last when the interval is over", arguments: [true, false])
    func throttle(latest: Bool) async {
        let middleware = middleware { action in
            Effect.just(action).throttle(for: .seconds(1), token: "t", latest: latest)
        }
        for action in 1...5 { middleware.run(action, output) }
        #expect(output.actions == [1])
        #expect(middleware.figures.running == (latest ? 1 : 0))
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(1))
        if latest {
            #expect(await eventually { output.actions == [1, 5] })
            // That was the beginning of a new interval.
            #expect(await eventually { clock.sleepers == 1 })
            middleware.run(6, output)
            #expect(output.actions == [1, 5])
            clock.advance(by: .seconds(1))
            #expect(await eventually { output.actions == [1, 5, 6] })
            await clock.waitForSleepers(1)
            clock.advance(by: .seconds(1))
        }
        await clock.waitForSleepers(0)
        let before = output.actions
        // The window closes just after its sleep has ended.
        #expect(
            await eventually {
                middleware.run(7, output)
                return output.actions.count > before.count
            }
        )
        #expect(output.actions == before + [7])
    }

    @Test("throttle: a cancel ends what waits and what works, and leaves the interval", arguments: [true, false])
    func throttleCancelled(byToken: Bool) async {
        let middleware = middleware { [hand] action in
            (hand.effect("\(action)") as Effect<Void, Int>).throttle(for: .seconds(1), token: "t")
        }
        middleware.run(1, output)
        middleware.run(2, output)
        if byToken { middleware.cancel("t") } else { middleware.cancelAll() }
        #expect(hand.log.all == ["start 1", "cancel 1"])
        #expect(middleware.runningEffects == 0)
        middleware.run(3, output)
        #expect(hand.log.count == 2)
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(1))
        #expect(await eventually { hand.log.count == 3 })
        #expect(hand.log.all.last == "start 3")
        middleware.cancelAll()
        #expect(hand.log.all.last == "cancel 3")
    }

    @Test("throttle: two tokens, and two elements, have intervals of their own; releasing the middleware ends them")
    func throttleScopes() async {
        struct Item: Identifiable, Sendable { let id: Int }
        do {
            let base = EffectMiddleware<Int, Int, Item, Void>.onAction(options: EffectOptions(clock: clock)) {
                action,
                _,
                _ in
                Effect.just(action).throttle(for: .seconds(1), token: action / 10)
            }
            let middleware = base.liftToCollection(
                inputAction: { (action: ElementIDAction<Int, Int>) in action },
                outputAction: { $0.id * 100 + $0.action },
                stateCollection: { (_: Int) in [Item(id: 1), Item(id: 2)] }
            )
            for action in [11, 12, 21] {
                for id in 1...2 { middleware.run(ElementIDAction(id: id, action: action), output) }
            }
            #expect(output.actions == [111, 211, 121, 221])
            await clock.waitForSleepers(4)
        }
        await clock.waitForSleepers(0)
    }

    @Test("timeout: what has not ended is cancelled, and an action says so, from the line that asked for it")
    func timeout() async {
        let line = UInt(#line) + 2
        let middleware = middleware { [hand] action in
            (hand.effect("\(action)") as Effect<Void, Int>).timeout(after: .seconds(3)) { -action }.withToken("t")
        }
        middleware.run(1, output)
        hand.send("1", 10)
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(3))
        #expect(await eventually { middleware.runningEffects == 0 })
        #expect(hand.log.all == ["start 1", "cancel 1"])
        #expect(output.actions == [10, -1])
        #expect(output.dispatched.all.last?.dispatcher.line == line)
        #expect(output.dispatched.all.last?.dispatcher.file.hasSuffix("EffectTimeTests.swift") == true)
        #expect(middleware.figures.completed == 1)
    }

    @Test("timeout in a store: what was sent and waits is dropped, the action that says so is not")
    func timeoutInStore() async {
        let reduced = Recorder<Int>()
        let middleware = SimpleEffectMiddleware<Int, Int>.onAction(options: EffectOptions(clock: clock)) {
            [hand, clock] action, _, _ in
            switch action {
            case 1: (hand.effect("a") as Effect<Void, Int>).timeout(after: .seconds(1)) { 99 }
            case 2:
                // On the pipeline's thread, so that 10 waits until the timer has fired.
                .fireAndForget {
                    hand.send("a", 10)
                    clock.advance(by: .seconds(1))
                    while hand.isCancelled("a") == false {}
                }
            default: .doNothing
            }
        }
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { action, _ in reduced.record(action) },
            middleware: middleware,
            engine: .thread(name: "timeout")
        )
        store.dispatch(1)
        await clock.waitForSleepers(1)
        store.dispatch(2)
        #expect(await eventually { reduced.all.contains(99) })
        #expect(reduced.all == [1, 2, 99])
        #expect(store.metrics.cancelled == 1)
    }

    @Test("timeout: who ends in time, or at once, is not cancelled, and nobody sleeps on")
    func inTime() async {
        let middleware = middleware { [hand] action in
            action == 0
                ? .just(5).timeout(after: .seconds(3)) { 99 }
                : (hand.effect("a") as Effect<Void, Int>).timeout(after: .seconds(3)) { 99 }
        }
        middleware.run(0, output)
        middleware.run(1, output)
        await clock.waitForSleepers(1)
        hand.send("a", 6)
        hand.complete("a")
        await clock.waitForSleepers(0)
        clock.advance(by: .seconds(4))
        #expect(output.actions == [5, 6])
        #expect(hand.log.all == ["start a"])
        #expect(middleware.runningEffects == 0)
        middleware.run(1, output)
        middleware.cancelAll()
        await clock.waitForSleepers(0)
        #expect(hand.log.all == ["start a", "start a", "cancel a"])
    }

    @Test("throttle: effects whose token is nil have no interval to share, and begin at once")
    func throttleWithoutToken() {
        let middleware = middleware { [hand] action in
            (hand.effect("\(action)") as Effect<Void, Int>).throttle(for: .seconds(1), token: String?.none)
        }
        for action in 1...2 { middleware.run(action, output) }
        #expect(hand.log.all == ["start 1", "start 2"])
        #expect(clock.sleepers == 0)
        for action in 1...2 { hand.complete("\(action)") }
        #expect(middleware.runningEffects == 0)
    }

    @Test("throttle: if all that waited was cancelled, the interval ends, and the next effect begins at once")
    func throttleNothingLeft() async {
        let middleware = middleware { [hand] action in
            (hand.effect("\(action)") as Effect<Void, Int>).throttle(for: .seconds(1), token: "t")
        }
        for action in 1...2 { middleware.run(action, output) }
        middleware.cancel("t")
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(1))
        await clock.waitForSleepers(0)
        // The window closes just after its sleep has ended; an effect that waits would have to sleep.
        #expect(
            await eventually {
                middleware.run(3, output)
                return hand.log.count > 2
            }
        )
        #expect(hand.log.all == ["start 1", "cancel 1", "start 3"])
        middleware.cancelAll()
    }

    @Test("timeout: without an action that says so, the effect is cancelled, and nothing is sent")
    func silentTimeout() async {
        let middleware = middleware { [hand] _ in
            (hand.effect("a") as Effect<Void, Int>).timeout(after: .seconds(3))
        }
        middleware.run(1, output)
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(3))
        #expect(await eventually { middleware.runningEffects == 0 })
        #expect(hand.log.all == ["start a", "cancel a"])
        #expect(output.actions == [])
    }

    @Test("a clock that is set in the options later is the one that time is measured by")
    func clockOfOptions() async {
        var options = EffectOptions()
        options.clock = clock
        let middleware = EffectMiddleware<Int, Int, Int, Void>.onAction(options: options) { action, _, _ in
            .just(action).delay(for: .seconds(3_600))
        }
        middleware.run(1, output)
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(3_600))
        #expect(await eventually { output.actions == [1] })
    }

    @Test("a clock of its own goes before that of the middleware, and without a middleware time is real")
    func clocks() async {
        let other = ManualClock()
        let middleware = middleware { _ in Effect.just(1).delay(for: .seconds(1), clock: other) }
        middleware.run(0, output)
        await other.waitForSleepers(1)
        #expect(clock.sleepers == 0)
        other.advance(by: .seconds(1))
        #expect(await eventually { output.actions == [1] })
        let real = Rig<Int>(Effect.just(2).delay(for: .nanoseconds(1)))
        #expect(await eventually { real.output.actions == [2] })
    }
}
