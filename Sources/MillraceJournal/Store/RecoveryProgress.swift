// SPDX-License-Identifier: Apache-2.0

/// How far a recovery is. The recovery reports it at most ten times a second, and once at the end of the journal. No
/// figure falls from one report to the next.
public struct RecoveryProgress: Hashable, Sendable {
    /// The actions to which the reducer was applied since the snapshot. Those that the store handles again are not
    /// counted.
    public var actions: UInt64
    /// The sequence of the last action that was read.
    public var sequence: UInt64
    /// The bytes of segments that were read.
    public var bytes: Int
}
