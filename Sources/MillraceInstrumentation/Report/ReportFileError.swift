// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Why a report could not be written to a file. Each `reason` is the system's text for its error, such as
/// "No space left on device".
public enum ReportFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The system could not create the file or folder, empty the existing file, or rename the finished file.
    case cannotCreate(path: String, reason: String)
    /// The system opened the file, but could not write all of the text to it, or the file was removed meanwhile.
    case cannotWrite(path: String, reason: String)
    /// Another ``TraceFile``, of this process or of another one, has the file open.
    case inUse(path: String)
    /// ``TraceFile/append(_:)`` was called after ``TraceFile/close()``.
    case closed(path: String)

    /// The error as text: what happened, and how to correct it.
    public var description: String {
        switch self {
        case .cannotCreate(let path, let reason):
            "'\(path)' cannot be created: \(reason). \(Self.advice(path, reason))"
        case .cannotWrite(let path, let reason):
            reason == FileStream.reason(ENOENT)
                ? "'\(path)' was removed while it was written: \(reason). Keep the file and its folder until the end."
                : "'\(path)' cannot be written: \(reason). Free disk space, or choose another path."
        case .inUse(let path):
            """
            Another trace, of this process or of another one, is writing to '\(path)'. Give each trace a path of its \
            own, or close the other trace first.
            """
        case .closed(let path):
            """
            The trace '\(path)' is closed, so nothing can be added to it. Create a trace with another path: with this \
            path it would replace the closed one.
            """
        }
    }

    /// Returns what the user can do when the system could not create `path`. The advice depends on `reason`.
    private static func advice(_ path: String, _ reason: String) -> String {
        func isAny(_ codes: CInt...) -> Bool { codes.contains { FileStream.reason($0) == reason } }
        if isAny(EISDIR) {
            return "Give the path of a file in this folder, such as '\(path)\(path.hasSuffix("/") ? "" : "/")NAME'."
        }
        if isAny(ENOENT) { return "Make its folder first, or choose a folder that exists." }
        if isAny(ENOTDIR) { return "A part of the path is a file: choose a folder that exists." }
        if isAny(EACCES, EPERM, EROFS) { return "Choose a folder that you may write to." }
        if isAny(ENOSPC, EDQUOT) { return "Free disk space, or choose another path." }
        return "Choose a folder that exists and is writable."
    }
}
