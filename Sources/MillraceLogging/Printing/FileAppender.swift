// SPDX-License-Identifier: Apache-2.0

internal import MillraceCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Writes lines to the end of a file, each with the time before it.
///
/// ```swift
/// let file = FileAppender(path: "/var/log/app/actions.log") { error in print(error) }
/// middleware.logger(actionPrinter: .file(file))
/// // after the file was renamed, at SIGHUP say:
/// file.reopen()
/// ```
///
/// The file is opened with the first line, and made if it is missing (readable and writable for this user, readable for
/// its group). Several appenders and processes may share it: a line never lies inside another, as the system appends
/// what is written in one call. Line breaks and other control characters within a line are escaped.
///
/// **Errors** stop nothing. They are given to the closure and counted, the lines are lost, and the next are tried
/// again, on a file that is opened anew. If a full disk cut off a line, the next one begins on a line of its own.
///
/// **Threads.** Anything from any thread. A logger gathers lines and writes them together, on its formatting queue.
public final class FileAppender: Sendable {
    private struct Storage {
        var descriptor: Int32 = -1
        var buffer: [UInt8] = []
        var bufferedLines = 0
        /// The file ends within a line.
        var isTorn = false
        var metrics = FileAppenderMetrics()
    }

    /// So much is gathered at most.
    private static var mostBytes: Int { 65_536 }

    /// Where the file is.
    public let path: String
    private let timestamp: @Sendable () -> String
    private let onError: (@Sendable (FileAppenderError) -> Void)?
    private let storage = Locked(Storage())

    /// An appender; nothing is opened yet.
    /// - Parameters:
    ///   - path: where the file is, or shall be; its folder must exist.
    ///   - onError: is told of each failure, on the thread that writes.
    ///   - timestamp: what each line begins with; default: the time in UTC, `2026-01-31T12:00:00.000Z`. Nothing is put
    ///     before the line if it is empty.
    @preconcurrency
    public init(
        path: String,
        onError: (@Sendable (FileAppenderError) -> Void)? = nil,
        timestamp: @escaping @Sendable () -> String = FileAppender.utc
    ) {
        self.path = path
        self.timestamp = timestamp
        self.onError = onError
    }

    deinit {
        flush()
        storage.withLock { Self.close(&$0) }
    }

    /// Writes a line now, with all that was gathered before it.
    public func write(_ message: String) {
        append(escapedForLog(message))
        flush()
    }

    /// Lets go of the file; the next line opens what is at the path then. For log rotation.
    public func reopen() {
        flush()
        storage.withLock { Self.close(&$0) }
    }

    /// What was done so far.
    public var metrics: FileAppenderMetrics { storage.withLock { $0.metrics } }

    /// Gathers a line, which must be clean.
    func append(_ line: String) {
        let time = timestamp()
        let isFull = storage.withLock { storage in
            if !time.isEmpty {
                storage.buffer.append(contentsOf: time.utf8)
                storage.buffer.append(UInt8(ascii: " "))
            }
            storage.buffer.append(contentsOf: line.utf8)
            storage.buffer.append(UInt8(ascii: "\n"))
            storage.bufferedLines += 1
            return storage.buffer.count >= Self.mostBytes
        }
        if isFull { flush() }
    }

    /// Writes what was gathered.
    func flush() {
        let error = storage.withLock { storage -> FileAppenderError? in
            guard storage.bufferedLines > 0 else { return nil }
            let error = writeAll(&storage)
            if let error {
                storage.metrics.errors += 1
                storage.metrics.lostLines += UInt64(error.lostLines)
                // What is at the path may be mended by then.
                Self.close(&storage)
            }
            storage.metrics.writtenLines += UInt64(storage.bufferedLines - (error?.lostLines ?? 0))
            storage.bufferedLines = 0
            storage.buffer.removeAll(keepingCapacity: storage.buffer.count < 4 * Self.mostBytes)
            return error
        }
        if let error { onError?(error) }
    }

    private func writeAll(_ storage: inout Storage) -> FileAppenderError? {
        if storage.descriptor < 0 {
            storage.descriptor =
                path.utf8.contains(0) ? -1 : open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o640)
            guard storage.descriptor >= 0 else {
                let reason = path.utf8.contains(0) ? "that is not a path" : Self.text(errno)
                return .cannotOpen(path: path, reason: reason, lostLines: storage.bufferedLines)
            }
        }
        if storage.isTorn { storage.buffer.insert(UInt8(ascii: "\n"), at: 0) }
        var code: Int32 = 0
        var done = 0
        storage.buffer.withUnsafeBytes { bytes in
            while done < bytes.count {
                #if canImport(Glibc)
                    let count = Glibc.write(storage.descriptor, bytes.baseAddress! + done, bytes.count - done)
                #elseif canImport(Musl)
                    let count = Musl.write(storage.descriptor, bytes.baseAddress! + done, bytes.count - done)
                #else
                    let count = Darwin.write(storage.descriptor, bytes.baseAddress! + done, bytes.count - done)
                #endif
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    code = count < 0 ? errno : ENOSPC
                    return
                }
                done += count
            }
        }
        let newline = UInt8(ascii: "\n")
        let wasTorn = storage.isTorn
        if done > 0 { storage.isTorn = storage.buffer[done - 1] != newline }
        guard done < storage.buffer.count else { return nil }
        let whole = storage.buffer[..<done].count { $0 == newline } - (wasTorn && done > 0 ? 1 : 0)
        return .cannotWrite(path: path, reason: Self.text(code), lostLines: storage.bufferedLines - whole)
    }

    private static func close(_ storage: inout Storage) {
        guard storage.descriptor >= 0 else { return }
        #if canImport(Glibc)
            _ = Glibc.close(storage.descriptor)
        #elseif canImport(Musl)
            _ = Musl.close(storage.descriptor)
        #else
            _ = Darwin.close(storage.descriptor)
        #endif
        storage.descriptor = -1
    }

    private static func text(_ code: Int32) -> String {
        var text = [CChar](repeating: 0, count: 256)
        // Unlike strerror, safe on several threads.
        guard strerror_r(code, &text, text.count) == 0 else { return "error \(code)" }
        return text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    /// The time now, in UTC, to the millisecond.
    public static let utc: @Sendable () -> String = {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        var parts = tm()
        gmtime_r(&now.tv_sec, &parts)
        func digits(_ value: Int, _ width: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        let date = [(Int(parts.tm_year) + 1900, 4), (Int(parts.tm_mon) + 1, 2), (Int(parts.tm_mday), 2)]
        let time = [Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec)]
        return date.map(digits).joined(separator: "-") + "T" + time.map { digits($0, 2) }.joined(separator: ":")
            + "." + digits(now.tv_nsec / 1_000_000, 3) + "Z"
    }
}
