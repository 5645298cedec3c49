// SPDX-License-Identifier: Apache-2.0

/// How far a recovery is. The recovery reports it at most ten times a second, and at the end of each phase. Within a
/// phase, `actions`, `sequence` and `bytes` never fall.
public struct RecoveryProgress: Hashable, Sendable {
    /// A recovery reads the journal once, or, with ``UnfinishedEffects/restart``, twice.
    public enum Phase: Hashable, Sendable {
        /// It looks for the first effect that had not ended. Only with ``UnfinishedEffects/restart``.
        case findingEffects
        /// It applies the reducers.
        case applyingActions
    }

    /// What the recovery does now.
    public var phase: Phase
    /// The actions to which the reducer was applied since the snapshot. Those that the store handles again are not
    /// counted.
    public var actions: UInt64
    /// The sequence of the last action that was read.
    public var sequence: UInt64
    /// The bytes of segments that were read in this phase.
    public var bytes: Int
    /// The bytes of segments that this phase reads in all. Before its last report this is an upper limit, because the
    /// last segment counts with all the room that is reserved for it.
    public var totalBytes: Int
}
