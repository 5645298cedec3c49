// SPDX-License-Identifier: Apache-2.0

/// The figures of a journal that a store uses, as read by ``Journal/metrics``.
public struct JournalMetrics: Hashable, Sendable {
    /// The pipeline has given all actions up to this sequence to the journal.
    public var recorded: UInt64 = 0
    /// All actions up to this sequence are durable, as the journal's ``Durability`` defines it.
    public var durable: UInt64 = 0
    /// The journal has given all actions up to this sequence to the operating system.
    public var written: UInt64 = 0
    /// All actions up to this sequence are on the disk.
    public var synced: UInt64 = 0
    /// The groups that were written. A group is one frame.
    public var groups: UInt64 = 0
    /// The number of syncs.
    public var syncs: UInt64 = 0
    /// The time that all syncs took together.
    public var syncTime: Duration = .zero
    /// The times that the syncs took, in nanoseconds.
    public var syncTimes = JournalHistogram.times
    /// The numbers of actions in the groups.
    public var groupSizes = JournalHistogram.sizes
    /// The number of segments that are ready to be used. If it stays 0, the disk is too slow to prepare them, and each
    /// change of segments makes the journal wait.
    public var segmentsInStock: Int = 0
    /// How often the journal found the disk full and waited.
    public var waitsForDisk: UInt64 = 0
    /// How often the pipeline waited for the journal, because too many actions were on their way to it.
    public var waitsForJournal: UInt64 = 0
    /// The number of IOs and effects that are held now.
    public var held: Int = 0
    /// The number of IOs and effects that were dropped because their actions never became durable.
    public var droppedHeld: Int = 0
    /// The number of effects that are under way and would begin again after a crash.
    public var unfinishedEffects: Int = 0
    /// All effects of actions up to this one have ended, and the journal says so; nil if nobody notes effects. A
    /// recovery handles the later actions again.
    public var finishedEffects: UInt64?
    /// The number of snapshots that were written.
    public var snapshots: UInt64 = 0
    /// The number of snapshots that could not be written. The journal itself is not affected.
    public var failedSnapshots: UInt64 = 0
    /// Why the last snapshot could not be written; nil if it was, or if there was none.
    public var snapshotFailure: JournalError?
    /// The sequence of the newest snapshot; 0: there is none.
    public var newestSnapshot: UInt64 = 0
    /// Why the journal writes no more; nil if it works, or was closed.
    public var failure: JournalError?

    /// The number of actions that the pipeline has handled and that are not durable yet.
    public var lag: UInt64 { recorded > durable ? recorded - durable : 0 }

    /// Creates figures that are all zero.
    public init() {}
}
