// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import MillraceGated
import MillraceInstrumentation
import MillraceLogging

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
            CountedRow("logging: left out by the filter") {
                let nowhere = LogPrinter.custom { _ in }
                return batches(
                    store(
                        (FirstMiddleware() <> SecondMiddleware() <> ThirdMiddleware())
                            .logger(
                                actionPrinter: nowhere,
                                actionFilter: { if case .tick(-1) = $0 { true } else { false } }
                            )
                    )
                )
            },
            CountedRow("plugins: four") {
                let store = plain()
                install(["first", "second", "third", "fourth"], in: store)
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
        _ change: (Instrumentation) -> Void
    ) -> Run {
        let store = store(
            FirstMiddleware().named("first") <> SecondMiddleware().named("second") <> ThirdMiddleware().named("third")
        )
        let instrumentation = Instrumentation(store, oneIn: oneIn, flight: flight)
        change(instrumentation)
        let loop = batches(store)
        return Run(body: loop.body, after: { withExtendedLifetime(instrumentation) {} })
    }

    /// Installs plugins and waits until they are installed. The caller must not be inside a task.
    private static func install(_ names: [MiddlewareName], in store: Store) {
        let isDone = DispatchSemaphore(value: 0)
        Task.detached {
            for name in names { try? await store.plugins.install(FirstMiddleware(), as: name) }
            isDone.signal()
        }
        isDone.wait()
    }
}
