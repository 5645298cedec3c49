// SPDX-License-Identifier: Apache-2.0

/// How far a recovery is. The recovery reports it about ten times a second.
public struct RecoveryProgress: Hashable, Sendable {
    /// The actions that were applied since the snapshot.
    public var actions: UInt64
    /// The sequence of the last of them.
    public var sequence: UInt64
    /// The bytes of segments that were read.
    public var bytes: Int
}
