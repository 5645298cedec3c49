// SPDX-License-Identifier: Apache-2.0

internal import MillraceCore

/// A record of a file, not decoded.
public struct RawRecord {
    /// What the record is.
    public enum Content: Hashable, Sendable {
        /// An action; the index is that of its kind.
        case action(kind: Int)
        /// A state; the index is that of its kind.
        case state(kind: Int)
        /// The end of a session: the canonical hash of the last state, and the number of actions.
        case end(hash: UInt64, actions: UInt64)
        /// Another record of a journal; docs/journal-format.md lists the numbers.
        case reserved(UInt16)
    }

    /// What the record is.
    public let content: Content
    /// Sequence, cause, time and source. A state has the sequence of the next action.
    public let head: RecordHead
    /// The offset of the record in the file.
    public let offset: Int
    /// The encoded value. The pointer is valid until the next call of the reader's `next()`, or until the reader is
    /// released.
    public let bytes: UnsafeRawBufferPointer
}
