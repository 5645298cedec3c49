// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import MillraceGated
import MillraceInstrumentation

extension CountedRow {
    private typealias Store = ReduxStoreBase<AppAction, AppState>

    /// Rows with wrapped middlewares: gates, instrumentation, loggers, plugins, type erasure. Actions come in batches
    /// of 256.
    static var middlewares: [CountedRow] {
        [
            CountedRow("gated: open") { batches(store(FirstMiddleware().gated(by: Gate()))) },
            CountedRow("gated: closed") { batches(store(FirstMiddleware().gated(by: Gate(.bypass)))) },
            CountedRow("gated: by action") {
                let control = { @Sendable (action: AppAction) -> Bool? in
                    if case .tick(-1) = action { false } else { nil }
                }
                return batches(store(FirstMiddleware().gated(controlActionMap: control)))
            },
            CountedRow("gated: by state, key path") { batches(store(FirstMiddleware().gated(state: \.isAuditing))) },
            CountedRow("instrumentation: switched off") { measured { $0.turnOff() } },
            CountedRow("instrumentation: every action") { measured { _ in } },
            CountedRow("instrumentation: one in 16") { measured(oneIn: 16) { _ in } },
            CountedRow("instrumentation: a flight recorder, one in 1024") {
                measured(oneIn: 1024, flight: try? FlightRecorder()) { _ in }
            },
            // Dispatched one by one: each action is a batch, of which the probe is told.
            CountedRow("instrumentation: every action, each a batch") { measured(loop: dispatching) { _ in } },
            CountedRow("instrumentation: a flight recorder, one in 1024, each a batch") {
                measured(oneIn: 1024, flight: try? FlightRecorder(), loop: dispatching) { _ in }
            },
            CountedRow("plugins: four") {
                let store = plain()
                install(["first", "second", "third", "fourth"], FirstMiddleware(), in: store)
                return batches(store)
            },
            CountedRow("loop: seldom an IO with the state") { batches(store(SeldomMiddleware())) },
            CountedRow("loop: seldom an IO with a reader that is kept") { batches(store(SeldomReader())) },
            CountedRow("plugins: one of 192 bytes") {
                let store = plain()
                install(["large"], LargeMiddleware(), in: store)
                return batches(store)
            },
            CountedRow("plugins: erased one by one, eight") {
                var all = AnyMiddleware(FirstMiddleware().named("erased"))
                for _ in 1..<8 { all = AnyMiddleware(all <> AnyMiddleware(FirstMiddleware().named("erased"))) }
                return batches(store(all))
            },
        ]
    }

    private static func measured(
        oneIn: Int = 1,
        flight: FlightRecorder? = nil,
        loop: (Store) -> Run = batches,
        _ change: (Instrumentation) -> Void
    ) -> Run {
        let store = store(
            FirstMiddleware().named("first") <> SecondMiddleware().named("second") <> ThirdMiddleware().named("third")
        )
        let instrumentation = Instrumentation(store, oneIn: oneIn, flight: flight)
        change(instrumentation)
        return Run(body: loop(store).body, after: { withExtendedLifetime(instrumentation) {} })
    }

    /// Installs plugins and waits until they are installed. The caller must not be inside a task.
    private static func install<M: MiddlewareProtocol & Sendable>(
        _ names: [MiddlewareName],
        _ middleware: M,
        in store: Store
    ) where M.InputActionType == AppAction, M.OutputActionType == AppAction, M.StateType == AppState {
        let isDone = DispatchSemaphore(value: 0)
        Task.detached {
            for name in names { try? await store.plugins.install(middleware, as: name) }
            isDone.signal()
        }
        isDone.wait()
    }
}

/// Returns an IO that reads the state for one kind of action, which the benchmark does not dispatch. An allocation an
/// action, because Swift adapts the getter before `handle` looks at the action.
private struct SeldomMiddleware: MiddlewareProtocol {
    func handle(
        action: AppAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<AppState>
    ) -> IO<AppAction> {
        guard case .tick(-1) = action else { return .pure() }
        return IO { output in if state().isAuditing { output.dispatch(.tick(0)) } }
    }
}

/// The same with the reader of the binding: no allocation.
private struct SeldomReader: MiddlewareProtocol {
    private var reader: StateReader<AppState>?

    mutating func bind(_ binding: MiddlewareBinding<AppAction, AppState>) { reader = binding.state }

    func handle(
        action: AppAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<AppState>
    ) -> IO<AppAction> {
        guard case .tick(-1) = action, let reader else { return .pure() }
        return IO { output in if reader().isAuditing { output.dispatch(.tick(0)) } }
    }
}

/// A middleware with many fields, as a chain of wrappers has them.
private struct LargeMiddleware: MiddlewareProtocol, Sendable {
    private var limits = (SIMD16<Int64>(repeating: 1), SIMD8<Int64>(repeating: 2))

    func handle(
        action: AppAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<AppState>
    ) -> IO<AppAction> {
        guard case .tick(let tick) = action, tick < 0 else { return .pure() }
        let isAbove = limits.0[tick & 15] > limits.1[tick & 7]
        return isAbove ? IO { $0.dispatch(.tick(0)) } : .pure()
    }
}
