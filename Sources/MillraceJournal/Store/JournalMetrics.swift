// SPDX-License-Identifier: Apache-2.0

/// The figures of a journal that a store uses, as read by ``Journal/metrics``.
public struct JournalMetrics: Hashable, Sendable {
    /// All actions up to this sequence were given to the system.
    public var written: UInt64 = 0
    /// All actions up to this sequence are on the disk.
    public var synced: UInt64 = 0
    /// The groups that were written. A group is one frame.
    public var groups: UInt64 = 0
    /// The syncs, and the time that they took together.
    public var syncs: UInt64 = 0
    public var syncTime: Duration = .zero
    /// How often the journal found the disk full and waited.
    public var waitsForDisk: UInt64 = 0
    /// How often the pipeline waited for the journal, because too many actions were on their way to it.
    public var waitsForJournal: UInt64 = 0
    /// The IOs and effects that are held now, and those that were dropped because their actions never became durable.
    public var held: Int = 0
    public var droppedHeld: Int = 0
    /// The snapshots that were written, and those that failed.
    public var snapshots: UInt64 = 0
    public var failedSnapshots: UInt64 = 0
    /// The sequence of the newest snapshot; 0: there is none.
    public var newestSnapshot: UInt64 = 0

    /// Creates figures that are all zero.
    public init() {}
}
