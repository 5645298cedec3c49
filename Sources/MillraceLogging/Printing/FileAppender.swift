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

/// Writes lines to the end of a file, each with a timestamp before it.
///
/// ```swift
/// let file = FileAppender(path: "/var/log/app/actions.log") { error in print(error) }
/// middleware.logger(actionPrinter: .file(file))
/// // after the file was renamed, at SIGHUP say:
/// file.reopen()
/// ```
///
/// The file is opened when the first lines are written, and created if it is missing (readable and writable for this
/// user, readable for its group). Several appenders and processes may share it. Lines of different writers are not
/// mixed, because the system appends the bytes of one call together. Line breaks and other control characters within a
/// line are escaped.
///
/// **Errors** do not stop the appender. It passes them to the closure and counts them, and the lines are lost. For the
/// next lines it opens the file again. If a full disk cut off a line, the next line begins on a new line. If the file
/// or its folder was removed, the next lines go to a new file, or are an error if there is no folder. If the file or its
/// folder was renamed, the lines go to the renamed file until ``reopen()``.
///
/// **Pipes.** Opening a named pipe without a reader is an error. If the reader stops reading, the queue of the logger,
/// ``write(_:)`` and ``reopen()`` wait for the reader; ``metrics`` and the pipeline do not wait. If the reader closes
/// the pipe, the system sends SIGPIPE, which ends a program by default. So ignore this signal (`signal(SIGPIPE,
/// SIG_IGN)`) if you write to pipes; a closed pipe is then an error like others.
///
/// **Threads.** Every member may be used from any thread. A logger buffers lines and writes them together, on its
/// formatting queue.
public final class FileAppender: Sendable {
    /// The lock guards it, also during a write, which takes as long as the disk or the reader of a pipe needs.
    private struct Storage {
        var descriptor: Int32 = -1
        var buffer: [UInt8] = []
        var bufferedLines = 0
        /// Whether the file ends within a line.
        var isTorn = false
    }

    /// The size, in bytes, at which the buffer is written.
    private static var mostBytes: Int { 65_536 }

    /// The path of the file.
    public let path: String
    private let timestamp: @Sendable () -> String
    private let onError: (@Sendable (FileAppenderError) -> Void)?
    private let storage = Locked(Storage())
    // Written under the lock; read without it, because a reader must not wait for a disk.
    private let writtenLines = Atomic<UInt64>(0)
    private let lostLines = Atomic<UInt64>(0)
    private let errors = Atomic<UInt64>(0)

    /// Creates an appender. It does not open the file yet.
    /// - Parameters:
    ///   - path: The path of the file. Its folder must exist.
    ///   - onError: A closure that is called with each error, on the thread that writes.
    ///   - timestamp: A closure that returns the text before each line. Default: the time in UTC,
    ///     `2026-01-31T12:00:00.000Z`. If the text is empty, nothing is put before the line.
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

    /// Writes a line at once, after all buffered lines. Blocks until the system has accepted it.
    public func write(_ message: String) {
        append(escapedForLog(message))
        flush()
    }

    /// Writes the buffered lines and closes the file. The next write opens the file at the path again. Call it after a
    /// log rotation.
    public func reopen() {
        flush()
        storage.withLock { Self.close(&$0) }
    }

    /// The counts so far. Reading them never waits for the file.
    public var metrics: FileAppenderMetrics {
        var metrics = FileAppenderMetrics()
        // Acquiring, pairs with flush(): a thread that sees a count also sees what was written before it.
        metrics.writtenLines = writtenLines.load(ordering: .acquiring)
        metrics.lostLines = lostLines.load(ordering: .acquiring)
        metrics.errors = errors.load(ordering: .acquiring)
        return metrics
    }

    /// Buffers a line, which must be escaped already.
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

    /// Writes the buffered lines.
    func flush() {
        let error = storage.withLock { storage -> FileAppenderError? in
            guard storage.bufferedLines > 0 else { return nil }
            let error = writeAll(&storage)
            let lost = error?.lostLines ?? 0
            // Close the file, so that the next write opens the path again: this may succeed by then.
            if error != nil { Self.close(&storage) }
            // Releasing, all three; pairs with metrics.
            if error != nil { errors.add(1, ordering: .releasing) }
            lostLines.add(UInt64(lost), ordering: .releasing)
            writtenLines.add(UInt64(storage.bufferedLines - lost), ordering: .releasing)
            storage.bufferedLines = 0
            storage.buffer.removeAll(keepingCapacity: storage.buffer.count < 4 * Self.mostBytes)
            return error
        }
        if let error { onError?(error) }
    }

    /// Opens the file. Returns the descriptor, or the reason why there is none.
    private func open() -> (descriptor: Int32, reason: String?) {
        guard !path.utf8.contains(0) else { return (-1, "that is not a path") }
        // Not blocking, because opening a pipe without a reader would wait for one.
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK
        #if canImport(Glibc)
            let descriptor = Glibc.open(path, flags, 0o640)
        #elseif canImport(Musl)
            let descriptor = Musl.open(path, flags, 0o640)
        #else
            let descriptor = Darwin.open(path, flags, 0o640)
        #endif
        guard descriptor >= 0 else { return (-1, errno == ENXIO ? "nobody reads from it" : Self.text(errno)) }
        // Blocking again, so that a write waits, for example if a pipe is full.
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        return (descriptor, nil)
    }

    private func writeAll(_ storage: inout Storage) -> FileAppenderError? {
        if storage.descriptor >= 0, Self.isRemoved(storage.descriptor, path) {
            Self.close(&storage)
            storage.isTorn = false
        }
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

    /// Whether an open file has no name any more: what is written to it is lost, without an error of the system. A pipe
    /// without a name may still have a reader.
    private static func isRemoved(_ descriptor: Int32, _ path: String) -> Bool {
        var (ours, there) = (stat(), stat())
        guard fstat(descriptor, &ours) == 0, ours.st_mode & S_IFMT == S_IFREG, ours.st_nlink == 0 else { return false }
        // Some file systems do not count names.
        return stat(path, &there) != 0 || (there.st_dev, there.st_ino) != (ours.st_dev, ours.st_ino)
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
        // Unlike strerror, this is thread-safe.
        guard strerror_r(code, &text, text.count) == 0 else { return "error \(code)" }
        return text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    /// A closure that returns the current time in UTC, with milliseconds.
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
