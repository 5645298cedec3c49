// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import CxxRivals
import Millrace
@preconcurrency import OpenCombine

extension CountedRow {
    /// Rows of what the store is compared with. If one of them takes more than before, this project has slowed a rival
    /// down, and its table compares with less than the rival can do.
    static var rivals: [CountedRow] {
        [
            CountedRow("aims: a Mutex around the state, one switch") {
                let box = MutexState()
                return Run { operations in LockRival.apply(operations, box) }
            },
            CountedRow("aims: a store without middlewares, one switch") {
                dispatching(
                    ReduxStoreBase(
                        initialState: AppState(),
                        reducer: .reduce { action, state in state.apply(action) },
                        engine: .caller,
                        publication: .onDemand
                    )
                )
            },
            CountedRow("lines: an atomic addition") {
                guard let lines = bench_lines_create() else { throw BenchmarkError.noMemory("cache lines") }
                return Run { operations in bench_lines_add(lines, 0, UInt64(operations)) }
            },
            CountedRow("rivals: a Mutex around the state") {
                let box = MutexState()
                return Run { operations in LockRival.reduce(operations, box) }
            },
            CountedRow("rivals: OpenCombine CurrentValueSubject") {
                // Unsafe because OpenCombine has no Sendable. One thread uses the subject.
                nonisolated(unsafe) let subject = CurrentValueSubject<AppState, Never>(AppState())
                return Run { operations in OpenCombineRival.reduce(operations, subject) }
            },
            queue("moodycamel, tokens", ACTION_QUEUE_MOODYCAMEL),
            queue("moodycamel, tokens, bulk", ACTION_QUEUE_MOODYCAMEL_BULK),
            queue("moodycamel, no tokens", ACTION_QUEUE_MOODYCAMEL_PLAIN),
            queue("Boost.Lockfree queue", ACTION_QUEUE_BOOST),
            queue("liburcu wfcqueue", ACTION_QUEUE_WFCQUEUE),
        ]
    }

    /// One thread puts 256 actions into a queue and takes them out again.
    private static func queue(_ name: String, _ kind: action_queue_kind) -> CountedRow {
        CountedRow("rivals: \(name), in and out") {
            guard let queue = action_queue_create(kind, 1) else { throw BenchmarkError.noMemory("a rival's queue") }
            return Run { operations in
                var sums = action_sums(count: 0, ticks: 0)
                for _ in 0..<operations / 256 {
                    action_queue_produce(queue, 0, 256)
                    action_queue_consume(queue, 256, rival_patience(enough: 0, pauses: 0), &sums)
                }
                keep(Int(sums.count &+ sums.ticks))
            }
        }
    }
}
