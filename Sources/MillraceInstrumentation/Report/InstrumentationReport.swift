// SPDX-License-Identifier: Apache-2.0

/// A text made of what was measured: a table, JSON, a page.
///
/// ```swift
/// let snapshot = await instrumentation.snapshot()
/// print(LatencyTable(snapshot))
/// try HTMLReport(snapshot).write(toFile: "report.html")
/// ```
///
/// A value, for any thread; it never touches the store. Writing one walks the histograms, which takes milliseconds.
/// Names of stages and kinds may be anything: each report escapes them as its format needs. Make one of your own by
/// writing the requirement of `TextOutputStreamable`, and it can be written to a file as well.
public protocol InstrumentationReport: TextOutputStreamable, CustomStringConvertible, Sendable {}

extension InstrumentationReport {
    /// The whole text.
    public var description: String {
        var text = ""
        write(to: &text)
        return text
    }

    /// Writes the text to a file, piece by piece.
    ///
    /// A file appears whole or not at all: the text goes to a file beside it, which then takes its name, so that
    /// whoever reads the path at the same time sees the old text or the new one. A file that was there keeps its rights
    /// (its mode, and where the system allows it its owner and group); access control lists are not kept. Of a link the
    /// file that it leads to is replaced. A pipe or a device, and `/dev/stdout`, is written to directly. Blocks until
    /// the system has taken the text.
    ///
    /// - Parameter path: Where; the folder must exist, and new files be allowed in it.
    /// - Throws: ``ReportFileError``, with the system's reason. Nothing is left behind.
    public func write(toFile path: String) throws(ReportFileError) {
        var stream = try FileStream(replacing: path)
        write(to: &stream)
        try stream.finish()
    }
}
