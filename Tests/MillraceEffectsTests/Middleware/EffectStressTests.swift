// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects
import MillraceTesting
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
        let figures = middleware.figures
        #expect(figures.running + figures.waiting == 0)
        // An end that was told twice, or not at all, would be one too many or too few.
        let cancelling = (0..<Self.count).filter { $0 % 11 == 0 }.count  // not counted
        #expect(figures.completed + figures.cancelled == Self.count - cancelling)
        // One that was cancelled before its body began has no handler.
        #expect(cancels.value > 0 && cancels.value <= figures.cancelled)
    }

    @Test("all policies, predicates, a capacity: each effect in one figure, limits held, registry empty")
    func policies() {
        let threads = 4
        let ends = (0..<threads).map { _ in Shared<[@Sendable () -> Void]>([]) }
        let atWork = Shared<[Int: Int]>([:])
        let tooMany = Shared(0)
        let refused = Shared(0)
        let asked = Shared(0)
        let options = EffectOptions(capacity: 200, onRefusal: { _ in refused.update { $0 += 1 } })
        let middleware = EffectMiddleware<Int, Int, Int, Void>.onAction(options: options) { action, _, _ in
            if action % 97 == 0 { return .toCancel { ($0.token?.base as? Int).map { $0 % 4 == 1 } ?? false } }
            let token = action % 8
            // Even tokens keep their limit; the others are also replaced and cancelled.
            let policy: EffectPolicy =
                switch token {
                case 0, 2: .serial
                case 4, 6: .concurrent(max: 3)
                case 1, 3: action % 3 == 0 ? .replace : .serial
                case 5: .keepFirst
                default: .replace
                }
            asked.update { $0 += 1 }
            return Effect(token: token, policy: policy) { _, sink in
                if token % 2 == 0 {
                    let count = atWork.update { atWork in
                        atWork[token, default: 0] += 1
                        return atWork[token, default: 0]
                    }
                    if count > (token < 4 ? 1 : 3) { tooMany.update { $0 += 1 } }
                }
                let isOpen = Shared(true)
                let end: @Sendable () -> Void = {
                    let isFirst = isOpen.update { isOpen in
                        defer { isOpen = false }
                        return isOpen
                    }
                    guard isFirst else { return }
                    if token % 2 == 0 { atWork.update { $0[token, default: 0] -= 1 } }
                    sink.complete()
                }
                ends[(action + 1) % threads].update { $0.append(end) }
                if action % 13 == 0 { end() }
            }
        }
        let output = Output<Int>()
        onThreads(threads) { thread in
            for action in stride(from: thread, to: Self.count / 8, by: threads) {
                middleware.run(action, output)
                if action % 101 == 0 { middleware.cancel(3) }
                ends[thread].update { $0.popLast() }?()
            }
        }
        #expect(tooMany.value == 0)
        // What ends lets others begin.
        while middleware.runningEffects > 0 {
            for list in ends {
                while let end = list.update({ $0.popLast() }) { end() }
            }
        }
        let figures = middleware.figures
        #expect(figures.waiting == 0)
        #expect(figures.refused == refused.value)
        #expect(figures.total == asked.value)
    }

    /// Counts, and finds ends without a beginning.
    private final class Watcher: EffectObserver {
        let open = Shared<Set<UInt64>>([])
        let begun = Shared(0)
        let wrong = Shared(0)

        func effectBegan(_ run: UInt64, name: @autoclosure () -> String, cause: ActionCause) {
            let isNew = open.update { $0.insert(run).inserted }
            begun.update { $0 += 1 }
            if !isNew { wrong.update { $0 += 1 } }
        }

        func effectEnded(_ run: UInt64, wasCancelled: Bool) {
            if open.update({ $0.remove(run) }) == nil { wrong.update { $0 += 1 } }
        }
    }

    @Test("an observer hears of each beginning and then of its end, though others cancel at the same time")
    func observed() {
        let watcher = Watcher()
        let bodies = Shared(0)
        let middleware = EffectMiddleware<Int, Int, Int, Void>.onAction(
            options: EffectOptions(observer: watcher)
        ) { action, _, _ in
            Effect(token: action % 4, policy: action % 2 == 0 ? .serial : .replace) { _, sink in
                bodies.update { $0 += 1 }
                if action % 3 == 0 { sink.complete() }
            }
        }
        onThreads(4) { thread in
            for action in stride(from: thread, to: Self.count / 10, by: 4) {
                middleware.run(action, Output())
                middleware.cancel(action % 4)
            }
        }
        middleware.cancelAll()
        #expect(watcher.wrong.value == 0)
        #expect(watcher.open.value.isEmpty)
        #expect(watcher.begun.value >= bodies.value)
        #expect(middleware.figures.total == Self.count / 10)
    }

    private struct LateAction: Error {}

    @Test("when a cancel has returned, no action of the run is handled but one that was taken up")
    func nothingAfterCancel() throws {
        try SimulatedWorld.explore(seeds: 0..<200) { world in
            let handled = Recorder<Int>()
            let sinks = Shared<[Int: EffectSink<DispatchedAction<Int>>]>([:])
            let middleware = SimpleEffectMiddleware<Int, Int>.onAction { action, _, _ in
                guard action < 0 else { return .doNothing }
                return Effect(token: action) { _, sink in sinks.update { $0[action] = sink } }
            }
            let store = ReduxStoreBase(
                initialState: 0,
                reducer: Reducer<Int, Int>.reduce { action, _ in handled.record(action) },
                middleware: middleware,
                engine: .simulated(in: world)
            )
            // How many had been handled when the cancel had returned: the next may be one that was taken up before.
            let counts = Shared<[Int: Int]>([:])
            for thread in 1...3 {
                world.thread("thread \(thread)") {
                    for number in stride(from: thread, through: 6, by: 3) {
                        store.dispatch(-number)
                        while sinks.value[-number] == nil { world.pause() }
                        let sink = sinks.value[-number]
                        for _ in 0..<4 { sink?.send(DispatchedAction(number)) }
                        middleware.cancel(-number)
                        let before = handled.count
                        counts.update { $0[number] = before }
                        sink?.send(DispatchedAction(number))
                        store.dispatch(0)
                    }
                }
            }
            try world.run()
            let late = handled.all.enumerated().filter { index, action in
                action > 0 && index > counts.value[action] ?? 0
            }
            #expect(middleware.runningEffects == 0)
            sinks.value = [:]  // They keep the way to the store, and it keeps them.
            if !late.isEmpty { throw LateAction() }
            try expectBalanced(store, isDrained: true)
        }
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
        "the counters of a store balance: offered = reduced + dropped + rejected + cancelled + pending",
        arguments: [StoreEngine.thread(name: "counters"), .caller]
    )
    func counters(engine: StoreEngine) async {
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
        let revoked = UInt64((1...Self.count / 16).filter { $0.isMultiple(of: 13) && !$0.isMultiple(of: 7) }.count)
        let threads = 3
        await elsewhere {
            onThreads(threads) { thread in
                if thread == 0 {
                    for action in 1...Self.count / 16 { store.dispatch(action) }
                } else {
                    for _ in 0..<Self.count / 32 {
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
        let counters = store.metrics
        #expect(throws: Never.self) { try expectBalanced(store, isDrained: true) }
        #expect(counters.cancelled >= revoked)
        #expect(UInt64(store.state) == counters.reduced)
    }
}
