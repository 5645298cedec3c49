// SPDX-License-Identifier: Apache-2.0

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
        guard let code = write(text, to: output), code != EPIPE else { return }
        throw SystemError(code: code)
    }

    /// Writes `millrace: message` to standard error. It replaces a progress line if there is one.
    static func complain(_ message: String) {
        let text = KeyText(bytes: Array(message.utf8)).printable
        _ = write("\(hasTerminal ? "\r\u{1B}[K" : "")millrace: \(text)\n", to: errors)
    }

    /// Writes a text to standard error, unchanged.
    static func show(_ text: String) {
        _ = write(text, to: errors)
    }

    /// Writes a text and returns the error code, or nil.
    private static func write(_ text: String, to descriptor: Int32) -> Int32? {
        var text = text
        return text.withUTF8 { bytes -> Int32? in
            var rest = UnsafeRawBufferPointer(bytes)
            while let start = rest.baseAddress, !rest.isEmpty {
                #if canImport(Glibc)
                    let count = Glibc.write(descriptor, start, rest.count)
                #elseif canImport(Musl)
                    let count = Musl.write(descriptor, start, rest.count)
                #else
                    let count = Darwin.write(descriptor, start, rest.count)
                #endif
                if count < 0 {
                    if errno == EINTR { continue }
                    return errno
                }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            }
            return nil
        }
    }
}
