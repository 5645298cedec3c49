// SPDX-License-Identifier: Apache-2.0

internal import MillraceCore
internal import Synchronization

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
/// **Pipes.** A named pipe without a reader cannot be opened, which is an error as any other. If its reader stops
/// reading, writing waits for it: the queue of the logger, ``write(_:)`` and ``reopen()``; ``metrics`` and the pipeline
/// do not. If its reader goes away the system sends SIGPIPE, which a program that writes to pipes ignores
/// (`signal(SIGPIPE, SIG_IGN)`); then that is an error, too.
///
/// **Threads.** Anything from any thread. A logger gathers lines and writes them together, on its formatting queue.
public final class FileAppender: Sendable {
    /// Locked while the system writes, which may take as long as a disk or the reader of a pipe likes.
    private struct Storage {
        var descriptor: Int32 = -1
        var buffer: [UInt8] = []
        var bufferedLines = 0
        /// The file ends within a line.
        var isTorn = false
    }

    /// So much is gathered at most.
    private static var mostBytes: Int { 65_536 }

    /// Where the file is.
    public let path: String
    private let timestamp: @Sendable () -> String
    private let onError: (@Sendable (FileAppenderError) -> Void)?
    private let storage = Locked(Storage())
    // Written under the lock; read without it, as who looks must not wait for a disk.
    private let writtenLines = Atomic<UInt64>(0)
    private let lostLines = Atomic<UInt64>(0)
    private let errors = Atomic<UInt64>(0)

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

    /// What was done so far. Never waits for the file.
    public var metrics: FileAppenderMetrics {
        var metrics = FileAppenderMetrics()
        // Acquiring, pairs with flush: who sees a count also sees what was written before it.
        metrics.writtenLines = writtenLines.load(ordering: .acquiring)
        metrics.lostLines = lostLines.load(ordering: .acquiring)
        metrics.errors = errors.load(ordering: .acquiring)
        return metrics
    }

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
            let lost = error?.lostLines ?? 0
            // What is at the path may be mended by then.
            if error != nil { Self.close(&storage) }
            // Releasing, all three, pairs with metrics.
            if error != nil { errors.add(1, ordering: .releasing) }
            lostLines.add(UInt64(lost), ordering: .releasing)
            writtenLines.add(UInt64(storage.bufferedLines - lost), ordering: .releasing)
            storage.bufferedLines = 0
            storage.buffer.removeAll(keepingCapacity: storage.buffer.count < 4 * Self.mostBytes)
            return error
        }
        if let error { onError?(error) }
    }

    /// A descriptor, or the reason why there is none.
    private func open() -> (descriptor: Int32, reason: String?) {
        guard !path.utf8.contains(0) else { return (-1, "that is not a path") }
        // Not blocking: opening a pipe without a reader would wait for one.
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK
        #if canImport(Glibc)
            let descriptor = Glibc.open(path, flags, 0o640)
        #elseif canImport(Musl)
            let descriptor = Musl.open(path, flags, 0o640)
        #else
            let descriptor = Darwin.open(path, flags, 0o640)
        #endif
        guard descriptor >= 0 else { return (-1, errno == ENXIO ? "nobody reads from it" : Self.text(errno)) }
        // A write waits, as to a pipe that is full for the moment.
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        return (descriptor, nil)
    }

    private func writeAll(_ storage: inout Storage) -> FileAppenderError? {
        if storage.descriptor < 0 {
            let (descriptor, reason) = open()
            if let reason { return .cannotOpen(path: path, reason: reason, lostLines: storage.bufferedLines) }
            storage.descriptor = descriptor
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
