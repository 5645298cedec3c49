// SPDX-License-Identifier: Apache-2.0

/// How a store came to its end: what ``ReduxStoreBase/shutdown(deadline:)`` returns.
public struct ShutdownReport: Sendable, Hashable, CustomStringConvertible {
    /// Whether the pipeline has ended: no action is handled any more, and the store has released the middlewares.
    public let isComplete: Bool
    /// Actions reduced since the call.
    public let reduced: UInt64
    /// Actions that were in the queue at the deadline and were discarded, by all calls so far. They count as dropped in
    /// ``metrics``.
    public let discarded: UInt64
    /// Actions refused since the call, those of freed producers included.
    public let rejected: UInt64
    /// Actions that are still in the queue because the consumer does not run: a handler is stuck, or nobody runs the
    /// engine's queue. They will be discarded as soon as it does.
    public let pending: UInt64
    /// The handler that did not return; nil when none was running.
    public let stuckHandler: StuckHandler?
    /// Threads that block the end: they were inside ``ReduxStoreBase/withState(_:)``, of this store or another one of the
    /// process, at two looks 20 ms apart. Empty if the end is complete, or is delayed by something else. At most 64.
    public let readers: [ReadingThread]
    /// How long it took.
    public let elapsed: Duration
    /// The store's metrics when this report was made.
    public let metrics: StoreMetrics

    /// One line for a log.
    public var description: String {
        let end = isComplete ? "complete" : "incomplete"
        let counts = "reduced \(reduced), discarded \(discarded), rejected \(rejected), pending \(pending)"
        let stuck = stuckHandler.map { "; stuck: \($0)" } ?? ""
        let names = readers.map(\.description).joined(separator: ", ")
        let held = readers.isEmpty ? "" : "; waits for threads inside withState: \(names)"
        return "shutdown \(end) after \(elapsed): \(counts)\(stuck)\(held)"
    }
}
