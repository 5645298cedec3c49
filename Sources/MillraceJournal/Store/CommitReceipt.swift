// SPDX-License-Identifier: Apache-2.0

/// What a `commit` returns: the action is durable at the level of the journal.
public enum CommitReceipt: Hashable, Sendable {
    /// The action was handled, with this sequence.
    case committed(sequence: UInt64)
    /// The action was handled before: the producer has reached this number. A repeated `commit` gets this answer.
    case duplicate(mark: UInt64)
}
