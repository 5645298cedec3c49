// SPDX-License-Identifier: Apache-2.0

import MillraceRecords

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Standard output and standard error, unbuffered, with the error codes of writing.
enum Console {
    private static let output: Int32 = 1
    private static let errors: Int32 = 2

    /// Whether standard error is a terminal.
    static var hasTerminal: Bool { isatty(errors) == 1 }

    /// Ignores SIGPIPE, which would end the process when the reader of a pipe closes it.
    static func ignoreClosedPipes() {
        _ = signal(SIGPIPE, SIG_IGN)
    }

    /// Writes the report. A closed pipe (`| head -1`) is not an error.
    static func printReport(_ text: String) throws(SystemError) {
        guard let code = writeAll(text, to: output), code != EPIPE else { return }
        throw SystemError(code: code)
    }

    /// Writes `millrace: message` to standard error. It replaces a progress line if there is one.
    static func complain(_ message: String) {
        let text = KeyText(bytes: Array(message.utf8)).printable
        _ = writeAll("\(hasTerminal ? "\r\u{1B}[K" : "")millrace: \(text)\n", to: errors)
    }

    /// Writes a text to standard error, unchanged.
    static func show(_ text: String) {
        _ = writeAll(text, to: errors)
    }
}
