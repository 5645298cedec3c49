// SPDX-License-Identifier: Apache-2.0

/// Why a `commit` failed.
public enum CommitError: Error, Hashable, Sendable {
    /// Numbers are missing: the producer's next one is this. The action was not handled.
    case gap(expected: UInt64)
    /// The producer is new or was forgotten, and its number is not 1. The action was not handled.
    case unknownProducer
    /// The store is closed, or has dropped the action under its overflow policy.
    case notAccepted
    /// The journal has failed, and with ``JournalFailurePolicy/stop`` the store is closed: the action is not durable.
    /// After a recovery its number tells whether it was.
    case journal(JournalError)
    /// The store has no journal.
    case noJournal
}

extension CommitError: CustomStringConvertible {
    /// A text that says what happened, and how to correct it.
    public var description: String {
        switch self {
        case .gap(let expected):
            "The action was not handled: its producer's next number is \(expected). Commit the missing actions first."
        case .unknownProducer:
            "The action was not handled: the journal does not know its producer, whose first number must be 1."
        case .notAccepted: "The action was not handled: the store is closed, or was full and dropped it."
        case .journal(let error): "The action is not durable: \(error)"
        case .noJournal: "The store has no journal. Make it with 'ReduxStoreBase(recovering:)'."
        }
    }
}
