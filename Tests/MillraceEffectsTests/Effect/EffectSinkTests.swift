// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects
import TestSupport
import Testing

@Suite("EffectSink")
struct EffectSinkTests {
    typealias Sink = EffectSink<DispatchedAction<Int>>

    /// Starts an effect that goes on, and returns its sink.
    private func start(_ middleware: (Effect<Void, Int>) -> EffectMiddleware<Int, Int, Int, Void>)
        -> (Sink, EffectMiddleware<Int, Int, Int, Void>)
    {
        let kept = Shared<Sink?>(nil)
        let middleware = middleware(Effect(token: "t") { _, sink in kept.value = sink })
        middleware.run(0, Output())
        return (kept.value!, middleware)
    }

    @Test("cancel handlers run in the order in which they came, late ones at once, those of a completed effect never")
    func handlers() {
        for isCancelled in [true, false] {
            let (sink, middleware) = start { effect in .onAction { _, _, _ in effect } }
            let log = Recorder<Int>()
            for number in 0..<3 { sink.onCancel { log.record(number) } }
            if isCancelled { middleware.cancelAll() } else { sink.complete() }
            sink.onCancel { log.record(3) }
            middleware.cancelAll()
            #expect(log.all == (isCancelled ? [0, 1, 2, 3] : []))
            #expect(sink.isCancelled == isCancelled)
        }
    }

    @Test("a row of 200,000 cancel handlers, called or let go, does not grow the stack", arguments: [true, false])
    func manyHandlers(isCancelled: Bool) {
        let count = Shared(0)
        let alive = Shared(0)
        let (sink, middleware) = start { effect in .onAction { _, _, _ in effect } }
        for _ in 0..<200_000 {
            let watched = Alive(alive)
            sink.onCancel { withExtendedLifetime(watched) { count.update { $0 += 1 } } }
        }
        if isCancelled { middleware.cancelAll() } else { sink.complete() }
        #expect(count.value == (isCancelled ? 200_000 : 0))
        #expect(alive.value == 0)
    }

    @Test("handlers added, an end and a cancel at the same time: each handler once if it was cancelled, else never")
    func handlersRace() {
        for round in 0..<(isSanitized ? 200 : 2_000) {
            let (sink, middleware) = start { effect in .onAction { _, _, _ in effect } }
            let calls = Shared([0, 0])
            let ends = Shared(0)
            onThreads(3) { thread in
                if thread < 2 {
                    for _ in 0..<10 { sink.onCancel { calls.update { $0[thread] += 1 } } }
                } else if round % 3 == 0 {
                    sink.complete()
                } else {
                    sink.onCancel { ends.update { $0 += 1 } }
                    middleware.cancelAll()
                }
            }
            #expect(calls.value == (sink.isCancelled ? [10, 10] : [0, 0]))
            #expect(ends.value == (round % 3 == 0 ? 0 : 1))
            let figures = middleware.figures
            #expect(figures.running == 0 && figures.completed + figures.cancelled == 1)
        }
    }

    @Test("once the middleware is released nothing is started, though a concat would go on")
    func afterRelease() {
        let log = Recorder<String>()
        let kept = Shared<Sink?>(nil)
        do {
            let middleware = EffectMiddleware<Int, Int, Int, Void>.onAction { _, _, _ in
                .concat(
                    Effect { _, sink in
                        kept.value = sink
                        sink.onCancel { log.record("cancelled") }
                    },
                    .fireAndForget { log.record("started") }
                )
            }
            middleware.run(0, Output())
            #expect(log.all.isEmpty)
        }
        #expect(log.all == ["cancelled"])
        kept.value?.complete()
        #expect(log.all == ["cancelled"])
        #expect(kept.value?.isCancelled == true)
    }

    @Test("tokens of several types, optionals among them, are told apart whatever came before")
    func tokenTypes() {
        enum Screen: Hashable, Sendable { case first, second }
        let log = Recorder<String>()
        func effect(_ name: String) -> Effect<Void, Int> { Effect { _, sink in sink.onCancel { log.record(name) } } }
        let optional: Screen? = .first
        let nothing: Screen? = nil
        let effects: [Effect<Void, Int>] = [
            effect("enum").withToken(Screen.first), effect("int").withToken(1), effect("text").withToken("1"),
            effect("other").withToken(Screen.second), .toCancel(optional), effect("nil").withToken(nothing),
            .toCancel(nothing), .toCancel(1), .toCancel(Screen.second), .toCancel("1"),
        ]
        let middleware = EffectMiddleware<Int, Int, Int, Void>.onAction { action, _, _ in effects[action] }
        for action in effects.indices { middleware.run(action, Output()) }
        #expect(log.all == ["enum", "int", "other", "text"])
        #expect(middleware.runningEffects == 1)
        #expect(effect("").withToken(nothing).token == nil)
        #expect(effect("").withToken(optional).token == AnyHashable(Screen.first))
    }

    @Test("a sink without a middleware passes on nothing after its end", arguments: [false, true])
    func standalone(isCancelled: Bool) {
        let (elements, completions) = (Recorder<Int>(), Recorder<Bool>())
        let (sink, cancel) = EffectSink<Int>.standalone(
            onElement: { elements.record($0) },
            completed: { completions.record(true) }
        )
        sink.send(1)
        if isCancelled { cancel() } else { sink.complete() }
        sink.send(2)
        #expect(elements.all == [1])
        #expect(completions.count == (isCancelled ? 0 : 1))
    }

    @Test("the task of a cancelled effect is cancelled")
    func cancelsItsTask() async {
        let (hasBegun, hasSeenIt) = (Shared(false), Shared(false))
        let middleware = EffectMiddleware<Int, Int, Int, Void>.onAction { _, _, _ in
            .task { _ in
                hasBegun.value = true
                try? await Task.sleep(for: .seconds(3_600))
                hasSeenIt.value = Task.isCancelled
                return 1
            }
        }
        middleware.run(0, Output())
        #expect(await eventually { hasBegun.value })
        middleware.cancelAll()
        #expect(await eventually { hasSeenIt.value })
    }
}
