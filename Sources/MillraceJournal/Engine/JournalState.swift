// SPDX-License-Identifier: Apache-2.0

internal import Millrace
import MillraceCore
import Synchronization

/// The data that a journal's thread, its store and the readers of its metrics share. It does not depend on the types of
/// actions and files.
final class JournalState: Sendable {
    let path: String
    let durability: Durability
    let recovery: RecoveryReport
    let waiters: DurableWaiters
    /// The world of the journal; nil: the system.
    let world: (any StoreWorld)?
    private let clock: JournalClock
    /// Relaxed: statistics.
    let written = Atomic<UInt64>(0)
    let synced = Atomic<UInt64>(0)
    let groups = Atomic<UInt64>(0)
    let syncs = Atomic<UInt64>(0)
    let syncNanoseconds = Atomic<UInt64>(0)
    let segmentsInStock = Atomic<Int>(0)
    /// Written once a sync and once a group.
    let histograms = Locked((times: JournalHistogram.times, sizes: JournalHistogram.sizes))
    let waitsForDisk = Atomic<UInt64>(0)
    let snapshots = Atomic<UInt64>(0)
    let failedSnapshots = Atomic<UInt64>(0)
    let newestSnapshot = Atomic<UInt64>(0)
    /// The watermark of ended effects that is on the disk; the largest number if nobody notes effects.
    let finishedEffects = Atomic<UInt64>(.max)
    /// Why the last snapshot could not be written; nil after one that was.
    let snapshotFailure = Locked<JournalError?>(nil)
    /// Tells the program of the journal's failure.
    let failures: FailureReport
    /// The calls that the journal makes to the store. Set once, before the journal's thread begins.
    let store = Locked<JournalCalls?>(nil)

    init(
        path: String,
        durability: Durability,
        recovery: RecoveryReport,
        last: UInt64,
        failures: FailureReport,
        _ world: (any StoreWorld)?
    ) {
        self.world = world
        self.failures = failures
        clock = JournalClock(world)
        self.path = path
        self.durability = durability
        self.recovery = recovery
        waiters = DurableWaiters(safe: last)
        written.store(last, ordering: .relaxed)
        synced.store(last, ordering: .relaxed)
        newestSnapshot.store(recovery.snapshot ?? 0, ordering: .relaxed)
    }

    /// The time of the journal's thread.
    var now: ContinuousClock.Instant { clock.now }
}
