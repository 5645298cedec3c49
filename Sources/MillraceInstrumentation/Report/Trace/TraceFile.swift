// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A trace for `chrome://tracing` and ui.perfetto.dev: what ran when on which thread, and what caused what.
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
/// One track a thread, with a slice for each action and its stages in it; effects on tracks of their own. Arrows lead
/// from an action to those its middlewares dispatched, if both are in the same half of the file. Times are exact to the
/// nanosecond, and count from the moment at which the instrumentation began.
///
/// **Bounded.** The file never grows beyond its limit, but for its first and last object, some 200 bytes. It keeps the last events, the first ones, or those around a
/// stall, as ``TraceKeep`` says; what is left out is counted in ``skipped``. To keep the last ones the older half is
/// dropped whenever the file is full: a new file with the younger half takes its place, so for that moment both are on
/// the disk. Between two calls the file is whole JSON, also if the program then dies. Its last object, `otherData`,
/// tells `skipped`, `missed` (what the instrumentation had no room for) and `origin` (nanoseconds since 1970).
///
/// **One writer.** The file is locked until it is closed or released: another trace of the same path, in this process or
/// another one, is told ``ReportFileError/inUse(path:)``. Where a file system has no locks, nothing is locked.
///
/// **Threads and cost.** Not for several threads at once. Some microseconds and about 150 bytes an event, and 250 bytes
/// an arrow; each event is copied at most once. Memory of a few MB for arrows, however long it runs.
public final class TraceFile {
    /// Where the file is.
    public let path: String
    /// How large it may become, in bytes.
    public let maximumBytes: Int
    /// Events that are not in the file, as there was no room for all.
    public var skipped: UInt64 { content.skipped }
    /// Events that found no room in the instrumentation, of all batches.
    public private(set) var missed: UInt64 = 0
    /// Events in the file.
    public var written: UInt64 { content.older.events + content.younger.events }
    /// Whether the file takes no more events: it has the first ones, or those around a stall.
    public private(set) var isFull = false

    /// A half of the file. It needs nothing of the other one.
    private struct Half {
        /// Where it begins in the file.
        var begin = 0
        var events: UInt64 = 0
    }

    /// What is in the file.
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
    /// The content to go back to if the current batch cannot be written.
    private var whole = Content()
    private var origin: UInt64 = 0
    /// Whether the stall is in the file.
    private var hasStall = false

    /// What the end of the file takes at most.
    private static var endBytes: Int { 160 }

    /// An empty trace in a new file; what was there is lost.
    ///
    /// - Parameters:
    ///   - path: Where; the folder must exist, and the file be a plain one. A file that was there keeps its rights.
    ///   - label: What the process is called in the viewer.
    ///   - maximumBytes: How large the file may become. Viewers in a browser are slow beyond some hundred megabytes.
    ///   - keep: Which events are kept when there are more.
    ///   - process: The number of the process in the viewer; nil: its own.
    /// - Throws: ``ReportFileError``: also where another trace is being written to the path.
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

    /// Adds a batch. Names of stages and kinds are those of the first batch that has them.
    ///
    /// - Throws: ``ReportFileError``. The file then has what was written before, and takes no more.
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

    /// Closes the file, which is whole. Further calls do nothing; a further batch is an error.
    public func close() throws(ReportFileError) {
        guard let stream else { return }
        self.stream = nil
        try stream.finish()
    }

    // MARK: What is kept

    /// How large the file may be without its end. Before a stall, half of it.
    private var room: Int {
        let room = maximumBytes - Self.endBytes
        if case .around = keep, !hasStall { return room / 2 }
        return room
    }

    /// Whether later events are kept rather than earlier ones.
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
                // Made again: the first text may hold an arrow from the previous half.
                text = encoder.text(of: slice)
            }
        }
        guard content.length + text.utf8.count + 2 <= room else {
            // Shorter events that come later might fit, but a trace with gaps would mislead: so no more are added.
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

    /// The younger half becomes the older one, which is dropped.
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
        // The old file is gone, so an error later in this batch goes back to this content. Otherwise it goes back to
        // the content before the batch: what the batch has added may not be in the file yet.
        if isRewritten { whole = content }
        encoder.beginPart()
    }

    private var end: String {
        """

        ],"otherData":{"skipped":\(skipped),"missed":\(missed),"origin":\(origin)}}

        """
    }
}
