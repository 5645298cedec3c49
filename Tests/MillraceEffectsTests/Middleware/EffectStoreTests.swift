// SPDX-License-Identifier: Apache-2.0

import EffectTestSupport
import Millrace
import MillraceEffects
import TestSupport
import Testing

/// Effects of a real store.
@Suite("EffectMiddleware in a store")
struct EffectStoreTests {
    static let engines: [StoreEngine] = [.thread(name: "effects"), .caller, .main]

    private func counting() -> Reducer<Int, Int> {
        .reduce { _, count in count += 1 }
    }

    @Test("an effect's actions carry their cause and source, and go to the tail")
    func actions() async {
        let log = Recorder<String>()
        let source = ActionSource(file: "File", function: "f", line: 5)
        let effects = SimpleEffectMiddleware<Int, Int>.onAction { action, from, _ in
            log.record("\(action) from \(from.line)")
            return action == 1 ? .sequence([2, 3], from: source) : .doNothing
        }
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(),
            middleware: effects.named("effects") <> IdentityMiddleware<Int, Int, Int>(),
            engine: .caller
        )
        store.dispatch(1, from: ActionSource(file: "Outside", function: "f", line: 4))
        #expect(log.all == ["1 from 4", "2 from 5", "3 from 5"])
    }

    @Test("one effect that throws, or never ends, stops nobody", arguments: engines)
    func failing(engine: StoreEngine) async {
        struct Failure: Error {}
        let hand = Hand()
        let middleware = SimpleEffectMiddleware<Int, Int>.onAction { action, _, _ in
            switch action {
            case 1: hand.effect("never ends")
            case 2:
                .task { _ in
                    throw Failure()
                } catchErrors: { _ in
                    nil
                }
            case 3: .stream { _ in AsyncThrowingStream<Int, any Error> { $0.finish(throwing: Failure()) } }
            case 4:
                .task { _ in
                    throw Failure()
                } catchErrors: { _ in
                    100
                }
            case 5: .just(100)
            case 6: .merge(hand.effect("nor does this"), .task { _ in 100 })
            default: .doNothing
            }
        }
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { action, count in if action == 100 { count += 1 } },
            middleware: middleware,
            engine: engine
        )
        for round in 1...10 {
            for action in 1...6 { store.dispatch(action) }
            // Three of the six answer, one of them as a part of one that goes on.
            let (completed, reduced) = (round * 4, UInt64(round * 9))
            #expect(await eventually { middleware.figures.completed == completed && store.metrics.reduced == reduced })
        }
        await store.drain()
        #expect(store.state == 30)
        #expect(middleware.runningEffects == 20)
        #expect(hand.log.all.filter { $0.hasPrefix("start") }.count == 20)
        hand.send("never ends", 100)
        await store.drain()
        #expect(store.state == 31)
        middleware.cancelAll()
        #expect(middleware.runningEffects == 0)
    }

    @Test("after a cancel the actions that wait are dropped, counted as cancelled; those of an ended effect stay")
    func revocation() async {
        let hand = Hand()
        let reduced = Recorder<Int>()
        let middleware = SimpleEffectMiddleware<Int, Int>.onAction { action, _, _ in
            switch action {
            case 1: hand.effect("a", token: "t")
            case 2:
                // On the pipeline's thread, so that all of it waits in the queue when 3 is handled.
                Effect { context, sink in
                    for n in 10..<20 { hand.send("a", n) }
                    context.toCancel("t").run()
                    hand.send("a", 20)
                    sink.complete()
                }
            case 3: .sequence(Array(30..<40)).withToken("t")
            case 4: .toCancel("t")
            default: .doNothing
            }
        }
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { action, _ in reduced.record(action) },
            middleware: middleware,
            engine: .caller
        )
        store.dispatch(contentsOf: [1, 2])
        #expect(reduced.all == [1, 2])
        #expect(store.metrics.cancelled == 10)
        store.dispatch(contentsOf: [3, 4])
        #expect(reduced.all == [1, 2, 3, 4] + Array(30..<40))
        let metrics = store.metrics
        #expect(metrics.cancelled == 10)
        #expect(metrics.offered == metrics.reduced + metrics.cancelled)
        #expect(middleware.runningEffects == 0)
    }

    @Test("parts of an effect are revoked with the whole, those that have ended, too")
    func revocationOfParts() async {
        let reduced = Recorder<Int>()
        let hand = Hand()
        let middleware = SimpleEffectMiddleware<Int, Int>.onAction { action, _, _ in
            switch action {
            case 1:
                Effect.merge(
                    .sequence([10, 11]),
                    Effect.sequence([12, 13]).withToken("part"),
                    hand.effect("a")
                ).withToken("whole")
            case 2: .toCancel("whole")
            default: .doNothing
            }
        }
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { action, _ in reduced.record(action) },
            middleware: middleware,
            engine: .caller
        )
        store.dispatch(contentsOf: [1, 2])
        #expect(reduced.all == [1, 2])
        #expect(store.metrics.cancelled == 4)
    }

    @Test("releasing the store cancels what its middleware runs", .timeLimit(.minutes(5)), arguments: engines)
    func release(engine: StoreEngine) async {
        let log = Recorder<String>()
        let (cancels, cancelled) = AsyncStream<Void>.makeStream()
        do {
            let store = ReduxStoreBase(
                initialState: 0,
                reducer: counting(),
                middleware: SimpleEffectMiddleware<Int, Int>.onAction { _, _, _ in
                    Effect { _, sink in
                        log.record("started")
                        sink.onCancel {
                            log.record("cancelled")
                            cancelled.finish()
                        }
                    }
                },
                engine: engine
            )
            store.dispatch(1)
            await store.drain()
            #expect(log.all == ["started"])
        }
        for await _ in cancels {}
        #expect(log.all == ["started", "cancelled"])
    }
}
