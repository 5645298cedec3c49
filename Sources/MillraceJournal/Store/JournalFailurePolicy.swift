// SPDX-License-Identifier: Apache-2.0

/// What a store does when its journal can write no more: a call of the system has failed, another writer has taken the
/// journal over, or its codec could not encode an action. The actions before that one are written.
///
/// A full disk is not such a failure: the store waits for room.
public enum JournalFailurePolicy: Hashable, Sendable {
    /// The store is closed. The actions that wait and the work that is held are dropped and counted.
    case stop
    /// The store goes on without a journal, and runs the work that is held. Every `commit` fails from then on.
    case detach
}
