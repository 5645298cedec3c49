// SPDX-License-Identifier: Apache-2.0

/// How a file of records ends.
public enum RecordFileEnd: Hashable, Sendable {
    /// The writer ended the file.
    case ended(offset: Int)
    /// Nothing follows the last frame, or only zeros that were written in advance. The writer may still be running, or
    /// was killed between two frames.
    case open(offset: Int)
    /// The frame after the last whole one is incomplete: the writer or the machine stopped while it was being written.
    case torn(TornTail)
}

extension RecordFileEnd: CustomStringConvertible {
    /// A text for a log.
    public var description: String {
        switch self {
        case .ended(let offset): "ended at byte \(offset)"
        case .open(let offset): "open at byte \(offset)"
        case .torn(let tail):
            """
            torn at byte \(tail.offset): \(tail.reason); the \(tail.bytes) bytes from there on were never acknowledged as \
            synced, the last action is \(tail.lastSequence)
            """
        }
    }
}
