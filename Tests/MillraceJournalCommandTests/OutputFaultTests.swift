// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Testing

@testable import MillraceJournalCommand

@Suite("Output of a command that finds no room, or no reader")
struct OutputFaultTests {
    @Test("a full disk ends the command with a message and the exit code 1, also behind the first lines")
    func fullDisk() async throws {
        let result = try await #require(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
            try CommandOutput.run {
                dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO)
                CommandOutput.line("the journal is whole")
            }
        }
        let message = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(message.contains("standard output: No space left on device, and what was printed is not complete"))
    }

    @Test("so do lines that are written in pieces")
    func fullDiskForPieces() async {
        await #expect(processExitsWith: .exitCode(1)) {
            try CommandOutput.run {
                dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO)
                var lines = CommandOutput.Lines()
                lines.add("an entry")
                lines.flush()
            }
        }
    }

    @Test("a reader that has closed its pipe ends the command quietly")
    func closedPipe() async throws {
        let result = try await #require(processExitsWith: .exitCode(0), observing: [\.standardErrorContent]) {
            try CommandOutput.run {
                var ends: [Int32] = [0, 0]
                pipe(&ends)
                dup2(ends[1], STDOUT_FILENO)
                close(ends[0])
                CommandOutput.line("an entry")
                exit(3)
            }
        }
        #expect(!String(decoding: result.standardErrorContent, as: UTF8.self).contains("standard output"))
    }

    @Test("a failure keeps its exit code if standard error takes no message", arguments: ["/dev/full", nil])
    func noStandardError(path: String?) async {
        await #expect(processExitsWith: .exitCode(1)) { [path] in
            if let path { dup2(open(path, O_WRONLY), STDERR_FILENO) } else { close(STDERR_FILENO) }
            let code = #expect(throws: ExitCode.self) {
                try CommandOutput.run { throw CocoaError(.fileNoSuchFile) }
            }
            exit(code?.rawValue ?? 3)
        }
    }
}
