// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MillraceCore
import MillraceRecords

/// Standard output and standard error of a command.
///
/// What is printed comes from a file that somebody else may have written, so each line is made visible: a text of the file
/// can neither steer the terminal nor begin a line.
enum CommandOutput {
    /// In tests: gets the text instead of standard output and standard error.
    @TaskLocal static var sink: (@Sendable (String, _ isError: Bool) -> Void)?

    /// Writes a line to standard output. A closed pipe (`| head`) ends the process quietly, another error with a message.
    static func line(_ text: String) {
        put(text.visible + "\n", STDOUT_FILENO)
    }

    /// Writes a text that may have several lines. Each but the first is indented, unlike the lines of the command.
    static func paragraph(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).visible }
        put(lines.joined(separator: "\n          ") + "\n", STDOUT_FILENO)
    }

    /// Lines that are collected, and written in pieces of about 64 KiB.
    struct Lines: ~Copyable {
        private var text = ""

        /// Adds a line.
        mutating func add(_ line: String) {
            text += line.visible
            text += "\n"
            if text.utf8.count > 64 << 10 { flush() }
        }

        /// Writes the lines that were added.
        mutating func flush() {
            guard !text.isEmpty else { return }
            CommandOutput.put(text, STDOUT_FILENO)
            text = ""
        }
    }

    /// Writes a message to standard error, and returns the error that ends the command.
    static func failure(_ message: String) -> ExitCode {
        let name = CommandLine.arguments.first.map { ($0 as NSString).lastPathComponent } ?? "journal"
        put("\(name): \(message)".visible + "\n", STDERR_FILENO)
        return ExitCode.failure
    }

    /// Tells how many actions of a journal were left out for their unknown kinds, if any were. It goes to standard error, so that a program
    /// can read standard output.
    static func tellLeftOut(_ count: UInt64, of path: String) {
        guard count > 0 else { return }
        let actions = count == 1 ? "1 action" : "\(grouped(count)) actions"
        put("\(path): left out \(actions) of kinds that the codec does not know".visible + "\n", STDERR_FILENO)
    }

    /// Ends the process if standard output takes no more: quietly with 0 if its reader has closed the pipe, else with a
    /// message and 1. If standard error takes no more, the exit code still says what happened.
    fileprivate static func put(_ text: String, _ descriptor: Int32) {
        if let sink { return sink(text, descriptor == STDERR_FILENO) }
        // First writes what the program has printed with C's buffered output.
        fflush(nil)
        guard let code = writeAll(text, to: descriptor), descriptor == STDOUT_FILENO else { return }
        if code == EPIPE { exit(0) }
        _ = failure("standard output: \(String(cString: strerror(code))), and what was printed is not complete")
        exit(1)
    }

    /// Runs the body of a command: an error becomes a message and the exit code 1.
    static func run(_ body: () throws -> Void) throws {
        // Then a write to a closed pipe returns an error, and no signal ends the process.
        signal(SIGPIPE, SIG_IGN)
        do {
            try body()
        } catch let code as ExitCode {
            throw code
        } catch {
            throw failure("\(error)")
        }
    }

    /// A number with separators: `1,234,567`.
    static func grouped(_ number: UInt64) -> String {
        var digits = String(number)
        var place = digits.count - 3
        while place > 0 {
            digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
            place -= 3
        }
        return digits
    }
}
