// SPDX-License-Identifier: Apache-2.0

import Millrace

/// Tells how far a recovery is, at most ten times a second, and at the end of each phase.
///
/// **Threads.** That of the recovery.
final class ProgressReporter {
    private let tell: @Sendable (RecoveryProgress) -> Void
    private let clock: JournalClock
    private var told: ContinuousClock.Instant
    private var progress: RecoveryProgress

    /// - Parameter tell: Gets the reports; nil: there is no reporter.
    init?(_ tell: (@Sendable (RecoveryProgress) -> Void)?, _ world: (any StoreWorld)?) {
        guard let tell else { return nil }
        self.tell = tell
        clock = JournalClock(world)
        told = clock.now
        progress = RecoveryProgress(phase: .findingEffects, actions: 0, sequence: 0, bytes: 0, totalBytes: 0)
    }

    /// Begins a phase that reads the segments of a walk.
    func begin<Folder>(
        _ phase: RecoveryProgress.Phase,
        _ walk: SegmentWalk<Folder>,
        after sequence: UInt64
    ) throws(JournalError) {
        progress = RecoveryProgress(
            phase: phase,
            actions: 0,
            sequence: sequence,
            bytes: 0,
            totalBytes: try walk.totalBytes
        )
    }

    /// Tells how far the phase is, if the last report is old enough. Looks at the clock.
    func update<Folder>(_ walk: SegmentWalk<Folder>, actions: UInt64 = 0, sequence: UInt64) {
        progress.actions = actions
        progress.sequence = sequence
        progress.bytes = walk.bytes
        guard clock.now - told >= .milliseconds(100) else { return }
        told = clock.now
        tell(progress)
    }

    /// Tells that the phase has ended.
    func end<Folder>(_ walk: SegmentWalk<Folder>, actions: UInt64 = 0, sequence: UInt64) {
        progress.actions = actions
        progress.sequence = sequence
        progress.bytes = walk.bytes
        progress.totalBytes = walk.bytes
        tell(progress)
    }
}
