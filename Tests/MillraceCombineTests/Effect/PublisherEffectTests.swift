// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MillraceCombine
import MillraceCore
import MillraceEffects
import TestSupport
import Testing

#if canImport(Combine)
    import Combine
#else
    @preconcurrency import OpenCombine
#endif

@Suite("Effects and publishers")
struct PublisherEffectTests {
    private func started(
        _ effects: Effect<Void, Int>...
    ) -> (EffectMiddleware<Int, Int, Int, Void>, Recorder<DispatchedAction<Int>>) {
        let output = Recorder<DispatchedAction<Int>>()
        let middleware = EffectMiddleware<Int, Int, Int, Void>.onAction { action, _, _ in effects[action] }
        for index in effects.indices { run(middleware, index, output) }
        return (middleware, output)
    }

    private func run(
        _ middleware: EffectMiddleware<Int, Int, Int, Void>,
        _ action: Int,
        _ output: Recorder<DispatchedAction<Int>>
    ) {
        middleware.handle(action: action, from: .here(), state: { 0 }).run { output.record($0) }
    }

    @Test("A24: a publisher's values are dispatched from the line of asEffect; its end is the effect's")
    func a24_asEffect() {
        let source = ActionSource(file: "File", function: "f", line: 3)
        let line = UInt(#line) + 1
        let (middleware, output) = started([1, 2].publisher.asEffect(), [3].publisher.asEffect(dispatcher: source))
        #expect(output.all.map(\.action) == [1, 2, 3])
        #expect(output.all.map(\.dispatcher.line) == [line, line, 3])
        #expect(output.all[2].dispatcher == source)
        #expect(middleware.runningEffects == 0)
    }

    @Test("A24: wrappers may pass on where they were called as `String`s")
    func a24_textsOfWrappers() {
        func say(_ number: Int, line: UInt = #line, function: String = #function) -> Effect<Void, Int> {
            .merge(
                Just(number).asEffect(file: "Own.swift", function: function, line: line),
                Just(number).asEffect(token: "t", file: "Own.swift", function: function, line: line)
            )
        }
        let source = ActionSource(file: "Own.swift", function: #function, line: #line + 1)
        let (_, output) = started(say(5))
        #expect(output.all == Array(repeating: DispatchedAction(5, dispatcher: source), count: 2))
    }

    @Test("A19, A22: tokens of publishers: replaced after the new one is subscribed, cancelled by toCancel")
    func a19_tokens() {
        let log = Recorder<String>()
        let subject = PassthroughSubject<Int, Never>()
        func effect(_ name: String) -> Effect<Void, Int> {
            subject.handleEvents(
                receiveSubscription: { @Sendable _ in log.record("start \(name)") },
                receiveCancel: { @Sendable in log.record("cancel \(name)") }
            ).asEffect(token: "t")
        }
        let (middleware, output) = started(effect("a"), effect("b"), .toCancel("t"), .doNothing)
        #expect(log.all == ["start a", "start b", "cancel a", "cancel b"])
        subject.send(1)
        #expect(output.all.isEmpty)
        #expect(middleware.runningEffects == 0)
    }

    @Test("A22: context.toCancel is a publisher that completes, so that values can follow it")
    func a22_toCancelAsPublisher() {
        let log = Recorder<String>()
        let (_, output) = started(
            Effect(token: "t") { _, sink in sink.onCancel { log.record("cancelled") } },
            Effect { context in
                context.toCancel("t").append(Just(DispatchedAction(7)))
            }
        )
        #expect(log.all == ["cancelled"])
        #expect(output.all.map(\.action) == [7])
    }

    @Test("effects of publishers: with a token, with dependencies, for their own sake, with a failure as an action")
    func forms() {
        let log = Recorder<Int>()
        let subject = PassthroughSubject<DispatchedAction<Int>, Never>()
        let (middleware, output) = started(
            Effect(Just(DispatchedAction(1))),
            Effect(token: "t", effect: subject),
            Effect(token: "u") { _ in subject },
            .fireAndForget([1, 2].publisher.handleEvents(receiveOutput: { @Sendable in log.record($0) })),
            .fireAndForget { _ in Just(3).handleEvents(receiveOutput: { @Sendable in log.record($0) }) },
            .fireAndForget(Fail<Int, Failure>(error: Failure())) { _ in DispatchedAction(4) },
            .fireAndForget({ _ in Fail<Int, Failure>(error: Failure()) }, catchErrors: { _ in nil })
        )
        #expect(log.all == [1, 2, 3])
        #expect(output.all.map(\.action) == [1, 4])
        #expect(middleware.runningEffects == 2)
        subject.send(DispatchedAction(5))
        subject.send(completion: .finished)
        #expect(output.all.map(\.action) == [1, 4, 5, 5])
        #expect(middleware.runningEffects == 0)
    }

    @Test("run is nil for doNothing alone; the publisher starts the effect for each subscriber, and cancels it")
    func run() {
        let log = Recorder<String>()
        let context: Effect<Void, Int>.Context = ((), { _ in FireAndForget { log.record("toCancel") } })
        #expect(Effect<Void, Int>.doNothing.run(context) == nil)
        #expect(Effect<Void, Int>.sequence([]).run(context) != nil)
        let effect = Effect<Void, Int>.concat(
            .sequence(1, 2),
            .toCancel("t"),
            Effect { _, sink in sink.onCancel { log.record("cancelled") } }
        )
        let publisher = effect.run(context)
        for _ in 0..<2 {
            let cancellable = publisher?.sink { @Sendable in log.record("\($0.action)") }
            #expect(log.all == ["1", "2", "toCancel"])
            cancellable?.cancel()
            #expect(log.all.last == "cancelled")
            log.clear()
        }
    }

    @Test("FireAndForget works once for each subscriber, and completes without a value")
    func fireAndForget() {
        let log = Recorder<String>()
        let work = FireAndForget<Int> { log.record("work") }
        for _ in 0..<2 {
            let cancellable = work.sink(
                receiveCompletion: { @Sendable _ in log.record("end") },
                receiveValue: { @Sendable in log.record("\($0)") }
            )
            withExtendedLifetime(cancellable) {}
        }
        #expect(log.all == ["work", "end", "work", "end"])
        log.clear()
        let failing = FireAndForget<Int>(Fail<String, Failure>(error: Failure()), catchErrors: { _ in 7 })
        let cancellable = failing.append(FireAndForget(Just("ignored"))).append(8).sink { @Sendable in
            log.record("\($0)")
        }
        withExtendedLifetime(cancellable) {}
        #expect(log.all == ["7", "8"])
    }

    @Test("FireAndForget on a scheduler: the work is done there, unless it was cancelled before")
    func fireAndForgetOnScheduler() async {
        let queue = DispatchQueue(label: "work")
        let log = Recorder<String>()
        let held = DispatchSemaphore(value: 0)
        queue.async { held.wait() }
        let work = FireAndForget<Int>(scheduler: queue) { log.record("work") }
        let first = work.sink { @Sendable _ in }
        let second = work.sink { @Sendable _ in }
        second.cancel()
        #expect(log.all.isEmpty)
        held.signal()
        await withCheckedContinuation { done in queue.async { done.resume() } }
        #expect(log.all == ["work"])
        withExtendedLifetime(first) {}
    }

    @Test("ASAPScheduler works at once on the main queue, and goes there from elsewhere")
    func asap() async {
        let log = Recorder<String>()
        await withCheckedContinuation { done in
            DispatchQueue.main.async {
                ASAPScheduler.default.schedule(options: nil) { log.record("at once") }
                DispatchQueue.asap(options: nil) { log.record("at once, too") }
                log.record("after")
                done.resume()
            }
        }
        #expect(log.all == ["at once", "at once, too", "after"])
        let wasMain = await withCheckedContinuation { done in
            onNewThread {
                ASAPScheduler.default.schedule { done.resume(returning: DispatchQueue.isMainQueue) }
            }
        }
        #expect(wasMain)
    }
}
