// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The counts of one channel. Each count has one writer, and any thread may read it.
final class LogCounts: Sendable {
    private let writtenCount = Atomic<UInt64>(0)
    private let skippedCount = Atomic<UInt64>(0)
    private let droppedCount = Atomic<UInt64>(0)
    private let sampledOutCount = Atomic<UInt64>(0)
    private let limitedCount = Atomic<UInt64>(0)
    private let changesLeftOutCount = Atomic<UInt64>(0)

    /// Counts written actions. Called by the formatting queue.
    func addWritten(_ count: UInt64) { Self.add(count, to: writtenCount) }
    /// Counts an action that found the ring full. Called by the pipeline.
    func addSkipped() { Self.add(1, to: skippedCount) }
    /// Counts a pending action that was dropped. Called by the pipeline.
    func addDropped() { Self.add(1, to: droppedCount) }
    /// Counts an action that the sampling left out. Called by the pipeline.
    func addSampledOut() { Self.add(1, to: sampledOutCount) }
    /// Counts an action that the rate limit left out. Called by the pipeline.
    func addLimited() { Self.add(1, to: limitedCount) }
    /// Counts a change of the state that was left out. Called by the pipeline.
    func addChangeLeftOut() { Self.add(1, to: changesLeftOutCount) }

    /// The number of actions that found the ring full, which the log reports.
    var skipped: UInt64 {
        // Acquiring, pairs with add(_:to:).
        skippedCount.load(ordering: .acquiring)
    }

    var all: LogMetrics {
        var metrics = LogMetrics()
        // Acquiring, pairs with add(_:to:): a thread that sees that an action was written also sees what was counted
        // before it.
        metrics.written = writtenCount.load(ordering: .acquiring)
        metrics.skipped = skippedCount.load(ordering: .acquiring) &+ droppedCount.load(ordering: .acquiring)
        metrics.sampledOut = sampledOutCount.load(ordering: .acquiring)
        metrics.limited = limitedCount.load(ordering: .acquiring)
        metrics.changesLeftOut = changesLeftOutCount.load(ordering: .acquiring)
        return metrics
    }

    /// Adds to a count. Each count has one writer, so no read-modify-write is needed.
    private static func add(_ count: UInt64, to total: borrowing Atomic<UInt64>) {
        // Relaxed: the writer reads its own value. Releasing: orders what the writer did before; pairs with the loads
        // above.
        total.store(total.load(ordering: .relaxed) &+ count, ordering: .releasing)
    }
}
