// SPDX-License-Identifier: Apache-2.0

import MillraceInstrumentation
import Synchronization

/// The trace of a run: a file that is written during the run.
final class RunTrace: Sendable {
    /// The result of the trace.
    struct Ending: Sendable {
        var problem: ReportFileError?
        /// A message about events that are not in the file; nil if there are none.
        var loss: String?
    }

    private let file: Mutex<TraceFile>

    init(path: String, maximumBytes: Int = 64 << 20) throws(ReportFileError) {
        file = Mutex(try TraceFile(path: path, label: "millrace run", maximumBytes: maximumBytes))
    }

    /// Writes what was measured, at short intervals, until the task is cancelled.
    func follow(_ instrumentation: Instrumentation) async -> Ending {
        let problem = await write(instrumentation)
        return Ending(problem: problem, loss: file.withLock { Self.loss($0) })
    }

    private static func loss(_ file: TraceFile) -> String? {
        let most = Figures.bytes(UInt64(file.maximumBytes))
        let parts = [
            (file.skipped, "were left out because the file may have \(most) at most"),
            (file.missed, "were overwritten in memory before they could be written"),
        ].filter { $0.0 > 0 }
        guard !parts.isEmpty else { return nil }
        let lost = Figures.grouped(file.skipped &+ file.missed)
        let reasons = parts.map { "\(Figures.grouped($0.0)) \($0.1)" }.joined(separator: ", ")
        return "the trace lacks \(lost) events: \(reasons)"
    }

    /// Writes the batches, and returns the error if there was one.
    private func write(_ instrumentation: Instrumentation) async -> ReportFileError? {
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
