// SPDX-License-Identifier: Apache-2.0

/// What a reader does with records of kinds that the codec does not know.
public enum UnknownKinds: Hashable, Sendable {
    /// The reader throws ``RecordFileError/unknownKind(path:offset:kind:sequence:)``.
    case fail
    /// The reader leaves them out and counts them. The recovery of a journal reports the number:
    /// `RecoveryReport.leftOut`.
    case skip
    /// The reader leaves them out, counts them, and writes them undecoded to a file of records at this path, which is
    /// created for the first such record.
    ///
    /// A ``RecordReader`` throws ``RecordFileError/exists(path:)`` if the path exists. The recovery of a journal makes
    /// a file for each segment: `PATH`, `PATH.2`, and so on. A later recovery keeps these files and parks only records
    /// that are not in them. It throws `exists` if a file of such a name is not one of its own.
    case park(path: String)
}
