// SPDX-License-Identifier: Apache-2.0

import MillraceInstrumentation
import Synchronization

/// The trace of a run, a file that is written while the run goes on.
final class RunTrace: Sendable {
    private let file: Mutex<TraceFile>

    init(path: String) throws(ReportFileError) {
        file = Mutex(try TraceFile(path: path, label: "millrace run"))
    }

    /// Takes what was measured, at short intervals, until the task is cancelled. Returns what went wrong.
    func follow(_ instrumentation: Instrumentation) async -> ReportFileError? {
        do throws(ReportFileError) {
            repeat {
                try? await Task.sleep(for: .milliseconds(50))
                let batch = await instrumentation.traceBatch()
                try file.withLock { file throws(ReportFileError) in try file.append(batch) }
            } while !Task.isCancelled
            try file.withLock { file throws(ReportFileError) in try file.close() }
            return nil
        } catch {
            return error
        }
    }
}
