// SPDX-License-Identifier: Apache-2.0

/// The reason why lines were not written to a file.
public enum FileAppenderError: Error, Hashable, CustomStringConvertible {
    /// The file could not be opened or created.
    case cannotOpen(path: String, reason: String, lostLines: Int)
    /// The file could not be written to, for example because the disk is full.
    case cannotWrite(path: String, reason: String, lostLines: Int)

    /// The number of lost lines.
    public var lostLines: Int {
        switch self {
        case .cannotOpen(_, _, let lines), .cannotWrite(_, _, let lines): lines
        }
    }

    /// A description of the error and of its remedy.
    public var description: String {
        switch self {
        case .cannotOpen(let path, let reason, let lines):
            "The log '\(path)' cannot be opened (\(reason)); \(lines) lines are lost. "
                + "Check the path and its permissions; a pipe needs a reader."
        case .cannotWrite(let path, let reason, let lines):
            "The log '\(path)' cannot be written (\(reason)); \(lines) lines are lost. "
                + "Free disk space; a pipe needs a reader. The appender opens the file again for the next lines."
        }
    }
}
