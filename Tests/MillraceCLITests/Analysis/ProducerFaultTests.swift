// SPDX-License-Identifier: Apache-2.0

#if DEBUG
    import CMillraceStress
    import TestSupport
    import Testing

    @testable import MillraceCLI

    /// Producers for which the system has no thread.
    @Suite(.timeLimit(.minutes(5))) struct ProducerFaultTests {
        private let scratch = Scratch()

        private func run(_ path: String, failing count: UInt64) async throws -> Analysis.Outcome {
            // The threads are started right after the call, on this thread; with the last one the plan has ended.
            try await analyse(path, producers: 3) { _, _ in
                millrace_fault_plan(1, count)
            }
        }

        @Test func theOthersReadEverything() async throws {
            let path = try scratch.file("log", generatedLog(lines: 20_000, seed: 3))
            let all = try await run(path, failing: 0)
            for count in 1...2 as ClosedRange<UInt64> {
                let found = try await run(path, failing: count)
                #expect(found.parsed == all.parsed && found.state.lines == 20_000)
                #expect(differences(counts(found.state), counts(all.state)) == [])
            }
        }

        @Test func withoutAnyTheRunFails() async throws {
            let path = try scratch.file("log", generatedLog(lines: 100, seed: 3))
            await #expect(throws: SystemError(code: 11)) { _ = try await run(path, failing: 3) }
        }

        @Test func aThreadThatCannotBeMadeReleasesItsBody() {
            var failure: SystemError?
            weak var released: Shared<Int>?
            do throws(SystemError) {
                let body = Shared(0)
                released = body
                millrace_fault_plan(1, 1)
                try startThread { body.value += 1 }
            } catch {
                failure = error
            }
            millrace_fault_plan(0, 0)
            #expect(failure == SystemError(code: 11))
            #expect(released == nil)
        }
    }
#endif
