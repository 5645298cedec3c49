// SPDX-License-Identifier: Apache-2.0

/// What a `commit` returns: the action is durable at the level of the journal, which the receipt names.
public enum CommitReceipt: Hashable, Sendable {
    /// The action was handled, with this sequence.
    case committed(sequence: UInt64, durability: Durability)
    /// The action was handled before: the producer has reached this number. A repeated `commit` gets this answer.
    case duplicate(mark: UInt64, durability: Durability)
}

extension CommitReceipt: CustomStringConvertible {
    /// A text for a log.
    public var description: String {
        switch self {
        case .committed(let sequence, let durability): "committed as \(sequence), \(durability)"
        case .duplicate(let mark, let durability): "a duplicate: \(mark) was reached before, \(durability)"
        }
    }
}
