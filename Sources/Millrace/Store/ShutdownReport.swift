// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// The result of ``ReduxStoreBase/shutdown(deadline:)``.
public struct ShutdownReport: Sendable, Hashable, CustomStringConvertible {
    /// Whether the pipeline has ended: no action is handled any more, and the store has released the middlewares.
    public let isComplete: Bool
    /// The number of actions reduced since the call.
    public let reduced: UInt64
    /// The number of actions dropped because they were in the queue at the deadline, in all calls so far. They count as
    /// dropped in ``metrics``.
    public let dropped: UInt64
    /// The number of actions rejected since the call, the actions of freed producers included.
    public let rejected: UInt64
    /// The number of actions still in the queue because the consumer does not run: a handler is stuck, or no thread
    /// runs the engine's queue. They are dropped as soon as the consumer runs.
    public let pending: UInt64
    /// The number of IOs and effects dropped since the call, because the journal had not made their actions durable
    /// before the deadline, or has failed. 0 in a store without a journal. The actions themselves count as reduced.
    public let droppedHeld: Int
    /// The number of IOs and effects that still wait for the journal, because the pipeline has not ended. They are
    /// dropped when it ends. If it ends while the report is made, they may be counted in `droppedHeld`, too.
    public let held: Int
    /// The handler that did not return; nil if none was running.
    public let stuckHandler: StuckHandler?
    /// The threads that block the end, at most 64: threads found inside ``ReduxStoreBase/withState(_:)`` of any store
    /// in the process at two checks 20 ms apart. Empty if the pipeline has ended, or something else delays the end.
    public let readers: [ReadingThread]
    /// The duration of the call.
    public let elapsed: Duration
    /// The store's metrics when this report was made.
    public let metrics: StoreMetrics

    /// One line for a log.
    public var description: String {
        let end = isComplete ? "complete" : "incomplete"
        let counts = "reduced \(reduced), dropped \(dropped), rejected \(rejected), pending \(pending)"
        let work = droppedHeld + held == 0 ? "" : ", IOs and effects that did not run: \(droppedHeld + held)"
        let stuck = stuckHandler.map { "; stuck: \($0)" } ?? ""
        let names = readers.map(\.description).joined(separator: ", ")
        let waits = readers.isEmpty ? "" : "; waits for threads inside withState: \(names)"
        return "shutdown \(end) after \(Decimal.duration(elapsed)): \(counts)\(work)\(stuck)\(waits)"
    }
}
