// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The counts of one channel: each has one writer, and anybody may look.
final class LogCounts: Sendable {
    private let writtenCount = Atomic<UInt64>(0)
    private let skippedCount = Atomic<UInt64>(0)
    private let droppedCount = Atomic<UInt64>(0)
    private let sampledOutCount = Atomic<UInt64>(0)
    private let limitedCount = Atomic<UInt64>(0)
    private let changesLeftOutCount = Atomic<UInt64>(0)

    /// The formatting queue's.
    func addWritten(_ count: UInt64) { Self.add(count, to: writtenCount) }
    /// The pipeline's.
    func addSkipped() { Self.add(1, to: skippedCount) }
    /// The pipeline's.
    func addDropped() { Self.add(1, to: droppedCount) }
    /// The pipeline's.
    func addSampledOut() { Self.add(1, to: sampledOutCount) }
    /// The pipeline's.
    func addLimited() { Self.add(1, to: limitedCount) }
    /// The pipeline's.
    func addChangeLeftOut() { Self.add(1, to: changesLeftOutCount) }

    /// Those that found the ring full, of which the log tells.
    var skipped: UInt64 {
        // Acquiring, pairs with add.
        skippedCount.load(ordering: .acquiring)
    }

    var all: LogMetrics {
        var metrics = LogMetrics()
        // Acquiring, pairs with add: who sees that an action was written also sees what was counted before it.
        metrics.written = writtenCount.load(ordering: .acquiring)
        metrics.skipped = skippedCount.load(ordering: .acquiring) &+ droppedCount.load(ordering: .acquiring)
        metrics.sampledOut = sampledOutCount.load(ordering: .acquiring)
        metrics.limited = limitedCount.load(ordering: .acquiring)
        metrics.changesLeftOut = changesLeftOutCount.load(ordering: .acquiring)
        return metrics
    }

    /// One writer a count, so no read-modify-write.
    private static func add(_ count: UInt64, to total: borrowing Atomic<UInt64>) {
        // Relaxed: the writer reads what it wrote. Releasing: what it did before it counted; pairs with the loads
        // above.
        total.store(total.load(ordering: .relaxed) &+ count, ordering: .releasing)
    }
}
