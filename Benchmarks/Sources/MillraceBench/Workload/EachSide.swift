// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Dispatch
import Millrace
import Synchronization

/// The two sides of a store with engine `.thread()`, each alone: the dispatches while the reducer is stopped, and then the
/// store's thread while nobody dispatches. Neither waits for the other, but each finds the slots in the caches of the other
/// side's processor.
@MainActor
enum EachSide {
    /// The workload's actions, and one at which the reducer stops.
    enum Action: Sendable {
        case counter(CounterAction)
        case tick(Int)
        case stop

        var counter: CounterAction? { if case .counter(let action) = self { action } else { nil } }

        static func nth(_ index: Int) -> Action { index % 2 == 0 ? .counter(.increment) : .tick(index) }
    }

    private struct Middleware<Tag>: MiddlewareProtocol {
        func handle(action: Action, from dispatcher: ActionSource, state: @escaping GetState<AppState>) -> IO<Action> {
            .pure()
        }
    }

    /// Stops the reducer, and notes when it arrived and when it went on, so that no wake-up counts.
    private final class Gate: Sendable {
        let began = DispatchSemaphore(value: 0)
        let end = DispatchSemaphore(value: 0)
        private let arrived = Atomic<UInt64>(0)
        private let left = Atomic<UInt64>(0)

        func stop() {
            arrived.store(bench_now(), ordering: .relaxed)
            began.signal()
            end.wait()
            left.store(bench_now(), ordering: .relaxed)
        }

        /// The nanoseconds from the end of the stop before the last one to the last one. Only while the reducer is stopped.
        var between: UInt64 { arrived.load(ordering: .relaxed) - left.load(ordering: .relaxed) }
    }

    private static let actions = 20_000

    static func table(_ pairing: Pairing) async throws -> Table {
        let gate = Gate()
        let lifted =
            AppState.counting.lift(action: \Action.counter, state: \AppState.count)
            <> Reducer<Action, AppState>.reduce { action, state in
                switch action {
                case .tick(let amount): state.ticks &+= amount
                case .stop: gate.stop()
                case .counter: break
                }
            }
        let inlined = Reducer<Action, AppState>.reduce { action, state in
            switch action {
            case .counter(.increment): state.count += 1
            case .counter(.decrement): state.count -= 1
            case .tick(let amount): state.ticks &+= amount
            case .stop: gate.stop()
            }
        }
        func three() -> ReduxStoreBase<Action, AppState> {
            ReduxStoreBase(
                initialState: AppState(),
                reducer: lifted,
                middleware: Middleware<Int>() <> Middleware<Bool>() <> Middleware<String>(),
                engine: .thread()
            )
        }
        let bare = ReduxStoreBase(initialState: AppState(), reducer: inlined, engine: .thread())
        var rows: [Row] = []
        for (name, store, batch) in [
            ("three middlewares, lifted reducers", three(), 1),
            ("the same, dispatch(contentsOf:) of 50", three(), 50),
            ("one switch as reducer, no middlewares", bare, 1),
        ] {
            pairing.progress.show("\(name)  each side alone")
            rows += try await rounds(pairing.operations / actions * 3, name, store, gate, batch: batch)
        }
        return Table(title: "Each side of the loop alone, bursts of \(actions) actions", rows: rows)
    }

    /// Measures bursts. A round needs no drain: the reducer stops at its first action and after its last one.
    private static func rounds(
        _ count: Int,
        _ name: String,
        _ store: ReduxStoreBase<Action, AppState>,
        _ gate: Gate,
        batch: Int
    ) async throws -> [Row] {
        let rounds = max(count, 2)
        var dispatches: [Double] = []
        var reductions: [Double] = []
        let before = store.state
        for _ in 0..<rounds {
            store.dispatch(.stop)
            gate.began.wait()
            let start = bench_now()
            if batch == 1 {
                for index in 0..<actions { store.dispatch(.nth(index)) }
            } else {
                for first in stride(from: 0, to: actions, by: batch) {
                    store.dispatch(contentsOf: (first..<first + batch).lazy.map(Action.nth))
                }
            }
            let dispatched = bench_now()
            store.dispatch(.stop)
            gate.end.signal()
            gate.began.wait()
            reductions.append(Double(gate.between) / Double(actions))
            gate.end.signal()
            dispatches.append(Double(dispatched - start) / Double(actions))
        }
        await store.drain()
        var expected = StateChange(actions: actions)
        expected.count *= rounds
        expected.ticks *= rounds
        try StateChange(from: before, to: store.state).check(expected, of: name)
        return [
            Row("\(name): the dispatches", time: Sample(dispatches)),
            Row("  the store's thread", time: Sample(reductions)),
        ]
    }
}
