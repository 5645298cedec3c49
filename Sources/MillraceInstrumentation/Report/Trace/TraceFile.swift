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
/// from an action to those its middlewares dispatched, if both are in the file. Times are exact to the nanosecond, and
/// count from the moment at which the instrumentation began.
///
/// **Bounded.** The file never grows beyond its limit: what no longer fits is left out and counted in
/// ``skipped``. Between two calls the file is whole JSON, also if the program then dies. Its last object, `otherData`,
/// tells `skipped`, `missed` (what the instrumentation had no room for) and `origin` (nanoseconds since 1970).
///
/// **Threads and cost.** Not for several threads at once. Some microseconds and about 150 bytes an event, and 250 bytes
/// an arrow; memory of a few MB for arrows, however long it runs.
public final class TraceFile {
    /// Where the file is.
    public let path: String
    /// How large it may become, in bytes.
    public let maximumBytes: Int
    /// Events that found no room in the file.
    public private(set) var skipped: UInt64 = 0
    /// Events that found no room in the instrumentation, of all batches.
    public private(set) var missed: UInt64 = 0
    /// Events in the file.
    public private(set) var written: UInt64 = 0

    private var encoder: TraceEncoder
    private var stream: FileStream?
    /// Where the next event goes, over the end that makes the file whole.
    private var length = 0
    private var origin: UInt64 = 0
    /// Once full it stays full: a trace with holes says nothing, and an arrow might begin at one.
    private var isFull = false

    /// What the end of the file takes at most.
    private static var endBytes: Int { 160 }

    /// An empty trace in a new file; what was there is lost.
    ///
    /// - Parameters:
    ///   - path: Where; the folder must exist, and the file be a plain one.
    ///   - label: What the process is called in the viewer.
    ///   - maximumBytes: How large the file may become. Viewers in a browser are slow beyond some hundred megabytes.
    ///   - process: The number of the process in the viewer; nil: its own.
    /// - Throws: ``ReportFileError``.
    public init(
        path: String,
        label: String = "millrace",
        maximumBytes: Int = 64 << 20,
        process: Int32? = nil
    ) throws(ReportFileError) {
        self.path = path
        self.maximumBytes = maximumBytes
        encoder = TraceEncoder(process: process ?? getpid())
        let stream = try FileStream(creating: path)
        self.stream = stream
        let begin = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n" + encoder.processName(label)
        length = begin.utf8.count
        stream.write(begin)
        stream.write(end)
        try stream.flush()
    }

    /// Adds a batch. Names of stages and kinds are those of the first batch that has them.
    ///
    /// - Throws: ``ReportFileError``. The file may then be cut off, and takes no more.
    public func append(_ batch: TraceBatch) throws(ReportFileError) {
        guard let stream else { throw .closed(path: path) }
        try stream.truncate(to: length)
        missed += batch.missed
        origin = batch.origin.nanosecondsSince1970
        var (length, written) = (length, UInt64(0))
        let room = maximumBytes - Self.endBytes
        encoder.encode(batch) { text in
            isFull = isFull || length + text.utf8.count + 2 > room
            guard !isFull else { return }
            stream.write(",\n")
            stream.write(text)
            length += text.utf8.count + 2
            if !text.hasPrefix("{\"ph\":\"M\"") { written += 1 }
        }
        self.written += written
        skipped += UInt64(batch.events.count) - written
        stream.write(end)
        try stream.flush()
        self.length = length
    }

    /// Closes the file, which is whole. Further calls do nothing; a further batch is an error.
    public func close() throws(ReportFileError) {
        guard let stream else { return }
        self.stream = nil
        try stream.finish()
    }

    private var end: String {
        """

        ],"otherData":{"skipped":\(skipped),"missed":\(missed),"origin":\(origin)}}

        """
    }
}
