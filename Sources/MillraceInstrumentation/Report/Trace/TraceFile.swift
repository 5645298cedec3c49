// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A trace for `chrome://tracing` and ui.perfetto.dev: when each action ran, on which thread, and what caused it.
///
/// ```swift
/// let trace = try TraceFile(path: "trace.json", label: "orders")
/// while recording {
///     try trace.append(await instrumentation.traceBatch())
///     try await Task.sleep(for: .seconds(1))
/// }
/// try trace.close()
/// ```
///
/// Each thread has a track, with a slice for each action and its stages in it. Effects have tracks of their own. Arrows
/// lead from an action to those that its middlewares dispatched, if both are in the same half of the file. Times are
/// exact to the nanosecond, and count from the moment at which the instrumentation was first turned on.
///
/// **Bounded.** The file never exceeds its limit, except that its first and last object, some 200 bytes, are always
/// written. It keeps the last events, the first ones, or those around a stall, see ``TraceKeep``. Events that are left
/// out are counted in ``skipped``.
///
/// To keep the last events, the older half is removed whenever the file is full: a new file with the younger half
/// replaces it. For that moment, both files are on the disk. Between two calls the file is complete JSON, even if the
/// program then crashes. Its last object, `otherData`, contains `skipped`, `missed` (events that found no room in the
/// instrumentation) and `origin` (nanoseconds since 1970).
///
/// **One writer.** The file is locked until it is closed or released. Opening another trace at the same path, in this
/// process or another one, throws ``ReportFileError/inUse(path:)``. On a file system without locks, nothing is locked.
///
/// **Threads and cost.** Only one thread at a time may use it. An event takes some microseconds and about 150 bytes, an
/// arrow 250 bytes; each event is copied at most once. Arrows need a few MB of memory, however long the trace runs.
public final class TraceFile {
    /// The path of the file.
    public let path: String
    /// The maximum size of the file, in bytes.
    public let maximumBytes: Int
    /// The number of events that are not in the file because there was no room.
    public var skipped: UInt64 { content.skipped }
    /// The number of events that found no room in the instrumentation, of all batches.
    public private(set) var missed: UInt64 = 0
    /// The number of events in the file.
    public var written: UInt64 { content.older.events + content.younger.events }
    /// Whether the file accepts no more events: it has the first ones, or those around a stall.
    public private(set) var isFull = false

    /// A half of the file. It refers to nothing in the other half.
    private struct Half {
        /// The offset in the file at which the half begins.
        var begin = 0
        var events: UInt64 = 0
    }

    /// The contents of the file.
    private struct Content {
        var older = Half()
        var younger = Half()
        /// The offset of the next event. It overwrites `end`, the text that closes the JSON.
        var length = 0
        var skipped: UInt64 = 0
    }

    private let begin: String
    private let keep: TraceKeep
    private var encoder: TraceEncoder
    private var stream: FileStream?
    private var failure: ReportFileError?
    private var content = Content()
    /// The contents to return to if the current batch cannot be written.
    private var whole = Content()
    private var origin: UInt64 = 0
    /// Whether the stall has been noted. From then on the file keeps earlier events.
    private var hasStall = false

    /// The maximum size of the text that ends the file.
    private static var endBytes: Int { 160 }

    /// Creates an empty trace in a new file. An existing file is emptied.
    ///
    /// - Parameters:
    ///   - path: The path of the file. Its folder must exist, and the file must be a regular one. An existing file
    ///     keeps its permissions.
    ///   - label: The name of the process in the viewer.
    ///   - maximumBytes: The maximum size of the file. Viewers in a browser are slow above some hundred megabytes.
    ///   - keep: The events to keep when there is not enough room for all.
    ///   - process: The process id in the viewer; nil: the id of this process.
    /// - Throws: ``ReportFileError``: also if another trace is being written to the path.
    public init(
        path: String,
        label: String = "millrace",
        maximumBytes: Int = 64 << 20,
        keep: TraceKeep = .last,
        process: Int32? = nil
    ) throws(ReportFileError) {
        self.path = path
        self.maximumBytes = maximumBytes
        self.keep = keep
        encoder = TraceEncoder(process: process ?? getpid())
        begin = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n" + encoder.processName(label)
        let stream = try FileStream(creating: path)
        self.stream = stream
        content.length = begin.utf8.count
        (content.older.begin, content.younger.begin) = (content.length, content.length)
        stream.write(begin)
        stream.write(end)
        try stream.flush()
    }

    /// Adds a batch. An index of a stage or kind keeps the name from the first batch that has it.
    ///
    /// - Throws: ``ReportFileError``. Then the file contains what was written before, and accepts no more.
    public func append(_ batch: TraceBatch) throws(ReportFileError) {
        if let failure { throw failure }
        guard let stream else { throw .closed(path: path) }
        whole = content
        do throws(ReportFileError) {
            try stream.truncate(to: content.length)
            missed += batch.missed
            origin = batch.origin.nanosecondsSince1970
            markStall(batch, stream)
            for slice in encoder.slices(of: batch) { try add(slice, stream) }
            stream.write(end)
            try stream.flush()
        } catch {
            (failure, self.stream, content) = (error, nil, whole)
            stream.end(at: content.length, with: end)
            throw error
        }
    }

    /// Closes the file, which is then complete. Further calls do nothing; appending another batch throws an error.
    ///
    /// - Throws: ``ReportFileError``: also if the file or its folder was removed. If its folder was renamed, the file is
    ///   there.
    public func close() throws(ReportFileError) {
        guard let stream else { return }
        self.stream = nil
        try stream.finish()
    }

    // MARK: What is kept

    /// The maximum size of the file without its end. Before a stall, half of it.
    private var room: Int {
        let room = maximumBytes - Self.endBytes
        if case .around = keep, !hasStall { return room / 2 }
        return room
    }

    /// Whether new events replace the earlier ones.
    private var keepsLast: Bool {
        switch keep {
        case .last: true
        case .first: false
        case .around: !hasStall
        }
    }

    private func markStall(_ batch: TraceBatch, _ stream: FileStream) {
        guard case .around(let stall) = keep, !hasStall, let note = stall.note else { return }
        hasStall = true
        let text = encoder.mark(note.text, at: batch.origin.ticks.nanoseconds(until: note.time))
        if content.length + text.utf8.count + 2 <= room { write(text, stream, events: 0) }
    }

    private func add(_ slice: TraceEncoder.Slice, _ stream: FileStream) throws(ReportFileError) {
        guard !isFull else { return content.skipped += 1 }
        var text = encoder.text(of: slice)
        if keepsLast {
            let half = (room - begin.utf8.count) / 2
            guard text.utf8.count + 2 <= half else { return content.skipped += 1 }
            if content.length - content.younger.begin + text.utf8.count + 2 > half {
                try beginHalf(stream)
                // Encode again: the first text may contain an arrow from the previous half.
                text = encoder.text(of: slice)
            }
        }
        guard content.length + text.utf8.count + 2 <= room else {
            // Shorter events might still fit later, but a trace with gaps would mislead: so no more are added.
            isFull = !keepsLast
            return content.skipped += 1
        }
        write(text, stream, events: 1)
        encoder.note(slice)
    }

    private func write(_ text: String, _ stream: FileStream, events: UInt64) {
        stream.write(",\n")
        stream.write(text)
        content.length += text.utf8.count + 2
        content.younger.events += events
    }

    /// Removes the older half. The younger half becomes the older one, and a new half begins.
    private func beginHalf(_ stream: FileStream) throws(ReportFileError) {
        let old = content
        let isRewritten = old.younger.begin > old.older.begin
        if isRewritten {
            try stream.rewrite(begin, keeping: old.younger.begin..<old.length)
            content.length = begin.utf8.count + old.length - old.younger.begin
            content.skipped += old.older.events
        }
        content.older = Half(begin: begin.utf8.count, events: old.younger.events)
        content.younger = Half(begin: content.length)
        // The old file is gone, so after a later error in this batch, the file returns to this content. Otherwise it
        // returns to the content before the batch, because the events of this batch may not be in the file yet.
        if isRewritten { whole = content }
        encoder.beginPart()
    }

    private var end: String {
        """

        ],"otherData":{"skipped":\(skipped),"missed":\(missed),"origin":\(origin)}}

        """
    }
}
