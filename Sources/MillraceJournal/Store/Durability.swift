// SPDX-License-Identifier: Apache-2.0

/// When an action counts as durable: what its effects and its `commit` wait for.
public enum Durability: Hashable, Sendable {
    /// The operating system has the bytes. They survive the end of the process, also by `kill -9`, but not a power cut.
    case process
    /// As ``process``, and a sync begins at most this time after the one before began. A power cut loses at most the
    /// actions of this time and of one sync. Their effects may have begun. `commit` waits for the disk.
    case interval(Duration)
    /// The disk has the bytes. One write and one sync serve all actions that arrived during the sync before: the
    /// journal never waits in order to gather a group.
    case grouped
    /// As ``grouped``, with a write and a sync for each action.
    case every

    /// Whether an action is durable only when the disk has it.
    var needsDisk: Bool {
        switch self {
        case .process: false
        case .interval, .grouped, .every: true
        }
    }

    /// Whether effects wait for the disk.
    var syncsEachGroup: Bool {
        switch self {
        case .process, .interval: false
        case .grouped, .every: true
        }
    }
}
