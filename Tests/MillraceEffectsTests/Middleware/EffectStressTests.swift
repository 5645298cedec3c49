// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects
import TestSupport
import Testing

/// Ends and cancels from many threads at once.
@Suite("EffectMiddleware: stress")
struct EffectStressTests {
    static let count = isSanitized ? 20_000 : 100_000

    @Test("registry empty, each effect ended once, after ends, replacements and cancels on four threads")
    func registry() {
        let threads = 4
        let sinks = (0..<threads).map { _ in Shared<[EffectSink<DispatchedAction<Int>>]>([]) }
        let cancels = Shared(0)
        let output = Output<Int>()
        let middleware = EffectMiddleware<Int, Int, Int, Void>.onAction { action, _, _ in
            if action % 11 == 0 { return .toCancel(action % 16) }
            let effect = Effect<Void, Int> { _, sink in
                sink.onCancel { cancels.update { $0 += 1 } }
                // To be ended on another thread.
                sinks[(action + 1) % threads].update { $0.append(sink) }
            }
            return action % 3 == 0 ? effect : effect.withToken(action % 16)
        }
        onThreads(threads) { thread in
            for action in stride(from: thread, to: Self.count, by: threads) {
                middleware.run(action, output)
                guard let sink = sinks[thread].update({ $0.popLast() }) else { continue }
                sink.send(DispatchedAction(action))
                if action % 5 != 0 { sink.complete() }
            }
        }
        for sink in sinks.flatMap(\.value) { sink.complete() }
        let left = middleware.runningEffects
        #expect(left < Self.count)
        middleware.cancelAll()
        #expect(middleware.runningEffects == 0)
        #expect(cancels.value > 0)
    }

    @Test("100,000 synchronous effects with and without a token leave nothing")
    func synchronous() {
        let output = Output<Int>()
        let middleware = EffectMiddleware<Int, Int, Int, Void>.onAction { action, _, _ in
            action % 2 == 0 ? .just(action) : Effect.just(action).withToken(action % 7)
        }
        for action in 0..<Self.count { middleware.run(action, output) }
        #expect(output.actions == Array(0..<Self.count))
        #expect(middleware.runningEffects == 0)
    }

    @Test(
        "the books of a store balance: offered = reduced + dropped + rejected + cancelled + pending",
        arguments: [StoreEngine.thread(name: "books"), .caller]
    )
    func books(engine: StoreEngine) async {
        // Positive actions start an effect that sends -1 twice, on this or another thread; every seventh cancels; every
        // thirteenth sends what it then revokes, while it waits.
        let helper = Shared<[EffectSink<DispatchedAction<Int>>]>([])
        let middleware = SimpleEffectMiddleware<Int, Int>.onAction { action, _, _ in
            guard action > 0 else { return .doNothing }
            if action % 7 == 0 { return .toCancel(action % 5) }
            if action % 13 == 0 {
                return Effect(token: "revoked") { context, sink in
                    sink.send(DispatchedAction(-1))
                    context.toCancel("revoked").run()
                }
            }
            return Effect(token: action % 5) { _, sink in
                sink.send(DispatchedAction(-1))
                helper.update { $0.append(sink) }
            }
        }
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { _, count in count += 1 },
            middleware: middleware,
            engine: engine
        )
        let revoked = UInt64((1...Self.count / 4).filter { $0.isMultiple(of: 13) && !$0.isMultiple(of: 7) }.count)
        let threads = 3
        await elsewhere {
            onThreads(threads) { thread in
                if thread == 0 {
                    for action in 1...Self.count / 4 { store.dispatch(action) }
                } else {
                    for _ in 0..<Self.count / 8 {
                        guard let sink = helper.update({ $0.popLast() }) else { continue }
                        sink.send(DispatchedAction(-1))
                        sink.complete()
                    }
                }
            }
        }
        await store.drain()
        middleware.cancelAll()
        #expect(middleware.runningEffects == 0)
        await store.drain()
        await store.drain()
        let books = store.metrics
        #expect(books.pending == 0)
        #expect(books.offered == books.reduced + books.dropped + books.rejected + books.cancelled + books.pending)
        #expect(books.cancelled >= revoked)
        #expect(UInt64(store.state) == books.reduced)
    }
}
