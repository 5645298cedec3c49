// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The reason why a report could not be written to a file. The texts of the reasons come from the system.
public enum ReportFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file or folder could not be created.
    case cannotCreate(path: String, reason: String)
    /// The file was created, but could not be written completely.
    case cannotWrite(path: String, reason: String)
    /// Another trace is being written to the file, by this process or another one.
    case inUse(path: String)
    /// The file was closed before.
    case closed(path: String)

    /// The error as text: what happened, and how to correct it.
    public var description: String {
        switch self {
        case .cannotCreate(let path, let reason):
            "'\(path)' cannot be created: \(reason). \(Self.advice(path, reason))"
        case .cannotWrite(let path, let reason):
            "'\(path)' cannot be written: \(reason). Free disk space, or choose another path."
        case .inUse(let path):
            """
            '\(path)' is being written by another trace, of this process or another one. Give each trace a path of its \
            own, or close that one first.
            """
        case .closed(let path):
            "'\(path)' is closed: nothing can be added to it. Open a file with another name."
        }
    }

    /// How to correct a path at which nothing could be created, by the system's reason.
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
