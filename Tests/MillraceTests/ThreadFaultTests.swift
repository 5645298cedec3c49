// SPDX-License-Identifier: Apache-2.0

#if DEBUG
    import CMillrace
    import CMillraceStress
    import Dispatch
    import TestSupport
    import Testing

    @testable import Millrace

    /// Threads that a store starts beside its own, when the system has none to give. A dispatch queue stands in for each.
    ///
    /// A start has two steps that can fail: the memory for it, and the thread.
    @Suite("Stores and threads that cannot be made", .timeLimit(.minutes(5)))
    struct ThreadFaultTests {
        /// Runs a body with this step of this thread failing. Returns whether the body came to it.
        private func failing(_ step: UInt64, _ body: () -> Void) -> Bool {
            millrace_fault_plan(step, 1)
            body()
            defer { millrace_fault_plan(0, 0) }
            return millrace_fault_sites() >= step
        }

        @Test("millrace-grace: what waits for readers is called all the same", arguments: [1, 2] as [UInt64])
        func grace(step: UInt64) async {
            let called = Shared(0)
            // All stores share the thread. While it runs for another test, none is started.
            var asked = 0
            let hasFailed = await eventually {
                asked += 1
                return failing(step) { GracePeriod.after { called.update { $0 += 1 } } }
            }
            #expect(hasFailed)
            #expect(await eventually { called.value == asked })
            // The next one has a thread again.
            GracePeriod.after { called.update { $0 += 1 } }
            #expect(await eventually { called.value == asked + 1 })
        }

        @Test("millrace-drain: what was dispatched inside withState is handled", arguments: [1, 2] as [UInt64])
        func drain(step: UInt64) async {
            let threads = Recorder<String>()
            let store = ReduxStoreBase(
                initialState: 0,
                reducer: Reducer<Int, Int>.reduce { number, sum in
                    threads.record(ReadingThread.name(of: millrace_thread_number()))
                    sum += number
                },
                engine: .caller
            )
            // This thread has dispatched and read before, so that only the start of the thread allocates.
            store.dispatch(1)
            let hasFailed = store.withState { _ in failing(step) { store.dispatch(2) } }
            #expect(hasFailed)
            #expect(await eventually { store.metrics.reduced == 2 })
            await store.drain()
            #expect(store.state == 3)
            #expect(threads.count == 2 && threads.all.last != "millrace-drain")
        }

        /// Runs the jobs of a task with a step failing in each.
        private final class Jobs: TaskExecutor {
            let failures = Shared(0)
            private let queue = DispatchQueue(label: "jobs")
            private let step: UInt64

            init(_ step: UInt64) {
                self.step = step
            }

            func enqueue(_ job: consuming ExecutorJob) {
                let job = UnownedJob(job)
                queue.async { [self] in
                    millrace_fault_plan(step, 1)
                    job.runSynchronously(on: asUnownedTaskExecutor())
                    if millrace_fault_sites() >= step { failures.update { $0 += 1 } }
                    millrace_fault_plan(0, 0)
                }
            }
        }

        @Test("millrace-limit: a wait ends at its deadline, and before it", arguments: [1, 2] as [UInt64])
        func limit(step: UInt64) async {
            let jobs = Jobs(step)
            let never = Completion()
            let start = ContinuousClock.now
            let isOver = await withTaskExecutorPreference(jobs) { await never.wait(atMost: .milliseconds(20)) }
            #expect(!isOver && ContinuousClock.now - start >= .milliseconds(20))
            #expect(jobs.failures.value == 1)

            let soon = Completion()
            let waiting = Task(executorPreference: jobs) { await soon.wait(atMost: .seconds(3_600)) }
            #expect(await eventually { jobs.failures.value == 2 })
            soon.complete()
            #expect(await waiting.value)
        }
    }
#endif
