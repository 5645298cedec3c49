// SPDX-License-Identifier: Apache-2.0

/// What a reader does with records of kinds that the codec does not know.
public enum UnknownKinds: Hashable, Sendable {
    /// It stops with ``RecordFileError/unknownKind(path:offset:kind:sequence:)``.
    case fail
    /// It leaves them out and counts them.
    case skip
    /// It leaves them out, counts them, and writes them to a file of records at this path, as they are. The file is
    /// begun with the first of them; it must not exist.
    case park(path: String)
}
