// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import MillraceLogging

extension CountedRow {
    /// What a logger costs the pipeline. Its queue gets no action or is stopped, so that no other thread does a part.
    static var logging: [CountedRow] {
        [
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
            CountedRow("logging: a dictionary in the state, no logger") {
                dispatching(CountedKeys.store(CountedKeys.Identity()))
            },
            CountedRow("logging: no room in the ring") {
                logged(capacity: 2, twoChanges) { metrics in metrics.skipped > 0 }
            },
            // The ring has room for all runs, so its places are fresh memory.
            CountedRow("logging: handed over without its change") {
                logged(capacity: 1 << 20, twoChanges) { metrics in
                    metrics.skipped == 0 && metrics.changesLeftOut > 0
                }
            },
            // Each action copies the dictionary for the log, into fresh memory.
            CountedRow("logging: handed over with its change", divisor: 8) {
                let memory = LogMemoryLimit(bytes: 1 << 32, changes: 1 << 18, copiedPerSecond: nil)
                return logged(capacity: 1 << 20, memory) { metrics in
                    metrics.skipped == 0 && metrics.changesLeftOut == 0
                }
            },
        ]
    }

    /// With this limit, only the first two changes have their states in the log.
    private static let twoChanges = LogMemoryLimit(copiedPerSecond: 1)

    /// - Parameters:
    ///   - capacity: The actions that may wait.
    ///   - memory: The limits of the log.
    ///   - isRight: Whether the row does what its name says.
    private static func logged(
        capacity: Int,
        _ memory: LogMemoryLimit,
        _ isRight: @escaping (LogMetrics) -> Bool
    ) -> Run {
        let queue = DispatchQueue(label: "stopped")
        queue.suspend()
        // Never released: libdispatch stops a program that releases a suspended queue.
        _ = Unmanaged.passRetained(queue)
        let log = ActionLog()
        let logger = CountedKeys.logger(
            log,
            queue: queue,
            capacity: capacity,
            memory: memory
        )
        return Run(
            body: dispatching(CountedKeys.store(logger)).body,
            after: { precondition(isRight(log.metrics), "the row does not do what its name says: \(log.metrics)") }
        )
    }
}
