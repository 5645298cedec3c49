// SPDX-License-Identifier: Apache-2.0

/// What a reader does with records of kinds that the codec does not know.
public enum UnknownKinds: Hashable, Sendable {
    /// The reader throws ``RecordFileError/unknownKind(path:offset:kind:sequence:)``.
    case fail
    /// The reader leaves them out and counts them.
    case skip
    /// The reader leaves them out, counts them, and writes them undecoded to a file of records at this path. The file
    /// is created for the first such record; the path must not exist yet.
    case park(path: String)
}
