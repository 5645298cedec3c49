// SPDX-License-Identifier: Apache-2.0

#if DEBUG
    import CMillrace
    import CMillraceStress
    import Dispatch
    import Millrace
    import MillraceCore
    import MillraceEffects
    import MillraceJournal
    import MillraceJournalTesting
    import MillraceRecords
    import TestSupport
    import Testing

    /// A journal for which the system has no thread.
    @Suite("A journal without a thread", .timeLimit(.minutes(5)))
    struct NoThreadTests {
        typealias Store = ReduxStoreBase<Deed, Sums>

        /// Runs the jobs of a task, and lets one step of the C core fail in those that get so far.
        private final class Jobs: TaskExecutor {
            private let queue = DispatchQueue(label: "jobs")
            private let failing: UInt64
            /// The steps that can fail, of each job.
            let steps = Shared<[UInt64]>([])

            init(failing step: UInt64 = 0) {
                failing = step
            }

            func enqueue(_ job: consuming ExecutorJob) {
                let job = UnownedJob(job)
                queue.async { [self] in
                    // The first reading of a thread may allocate, and the threads of the queue change.
                    millrace_lend_end(millrace_lend_begin())
                    millrace_fault_plan(failing, failing > 0 ? 1 : 0)
                    job.runSynchronously(on: asUnownedTaskExecutor())
                    let passed = millrace_fault_sites()
                    millrace_fault_plan(0, 0)
                    steps.update { $0.append(passed) }
                }
            }
        }

        private let disk = SlowDisk()

        private func open(
            _ subject: UnfailableReplayLastSubjectType<Sums>,
            _ effects: UnfinishedEffects,
            _ begun: Shared<[Int]>,
            on jobs: Jobs
        ) async throws -> Store {
            let journal = try disk.journal()
            return try await withTaskExecutorPreference(jobs) {
                try await Store(
                    recovering: journal,
                    subject: subject,
                    reducer: summing,
                    middleware: EffectMiddleware<Deed, Deed, Sums, Void>.onAction { deed, _, _ in
                        guard case .tell(let number) = deed else { return .doNothing }
                        return .task { _ in
                            begun.update { $0.append(number) }
                            try? await Task.sleep(for: .seconds(3_600))
                            return nil
                        }
                    },
                    effects: effects
                )
            }
        }

        @Test(
            "the recovery throws, and leaves the subject as it was",
            arguments: [UnfinishedEffects.forget, .restart]
        )
        func noThread(effects: UnfinishedEffects) async throws {
            let begun = Shared<[Int]>([])
            func make() -> UnfailableReplayLastSubjectType<Sums> { .native(initialValue: Sums()) }
            let first = try await open(make(), effects, begun, on: Jobs())
            first.dispatch(.tell(5))
            first.dispatch(.add(1))
            #expect(await eventually { begun.value == [5] })
            try await first.journaled()
            disk.disk.kill()
            _ = await first.shutdown()

            // Counts the steps. The last one of the job with most of them starts the journal's thread. No other job has
            // so many, and the number of jobs before it differs from run to run.
            let counting = Jobs()
            _ = await (try await open(make(), effects, begun, on: counting)).shutdown()
            let most = try #require(counting.steps.value.max())

            let subject = make()
            let error = await #expect(throws: JournalError.self) {
                _ = try await open(subject, effects, begun, on: Jobs(failing: most))
            }
            #expect(error.map { "\($0)".contains("pthread_create") } == true, "\(String(describing: error))")
            #expect(subject.value() == Sums())
            // The journal is free again.
            let again = make()
            _ = await (try await open(again, effects, begun, on: Jobs())).shutdown()
            #expect(again.value().deeds == [1])
        }
    }
#endif
