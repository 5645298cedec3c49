// SPDX-License-Identifier: Apache-2.0

/// A text that is made from measurements: a table, JSON, a page.
///
/// ```swift
/// let snapshot = await instrumentation.snapshot()
/// print(LatencyTable(snapshot))
/// try HTMLReport(snapshot).write(toFile: "report.html")
/// ```
///
/// A report is a value, which any thread may use; it never accesses the store. Writing a report iterates over the
/// histograms, which takes milliseconds. Names of stages and kinds may contain any characters: each report escapes them
/// for its format. To make a report of your own, implement the requirement of `TextOutputStreamable`. Your report can
/// then be written to a file, too.
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
    /// The file appears whole or not at all. The text is written to a temporary file beside it, which is then renamed.
    /// So a process that reads the path meanwhile gets the old text or the new one.
    ///
    /// A file that existed keeps its permissions: its mode, and where the system allows it its owner and group. Access
    /// control lists are not kept. If the path is a symbolic link, its target is replaced. A pipe, a device, or
    /// `/dev/stdout` is written directly. The call blocks until the system has accepted the text.
    ///
    /// - Parameter path: The path of the file. Its folder must exist and be writable.
    /// - Throws: ``ReportFileError``, with the system's reason. Then no temporary file is left.
    public func write(toFile path: String) throws(ReportFileError) {
        var stream = try FileStream(replacing: path)
        write(to: &stream)
        try stream.finish()
    }
}
