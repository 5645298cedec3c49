// SPDX-License-Identifier: Apache-2.0

/// How a store came to its end: what ``ReduxStoreBase/shutdown(deadline:)`` returns.
public struct ShutdownReport: Sendable, Hashable, CustomStringConvertible {
    /// Whether the pipeline has ended: nothing runs any more, and the middlewares are released.
    public let isComplete: Bool
    /// Actions reduced since the call.
    public let reduced: UInt64
    /// Actions that were in the queue at the deadline and were thrown away. They count as dropped in ``metrics``.
    public let discarded: UInt64
    /// Actions refused since the call, those of freed producers included.
    public let rejected: UInt64
    /// Actions that are in the queue still, as nobody takes them out: a handler is stuck, or the engine's queue is not
    /// run by anybody. They will be thrown away as soon as somebody does.
    public let pending: UInt64
    /// The handler that did not return; nil when none was running.
    public let stuckHandler: StuckHandler?
    /// How long it took.
    public let elapsed: Duration
    /// The books at the end.
    public let metrics: StoreMetrics

    /// One line for a log.
    public var description: String {
        let end = isComplete ? "complete" : "incomplete"
        let counts = "reduced \(reduced), discarded \(discarded), rejected \(rejected), pending \(pending)"
        let stuck = stuckHandler.map { "; stuck: \($0)" } ?? ""
        return "shutdown \(end) after \(elapsed): \(counts)\(stuck)"
    }
}
