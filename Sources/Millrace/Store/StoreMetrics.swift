// SPDX-License-Identifier: Apache-2.0

/// The books of a store, as ``ReduxStoreBase/metrics`` found them.
///
/// At every quiet moment `offered == reduced + dropped + rejected + cancelled + pending`. While threads dispatch the
/// figures may be some actions apart, as they are not read in one instant.
public struct StoreMetrics: Sendable, Hashable, Codable {
    /// Actions that were dispatched, whatever became of them.
    public var offered: UInt64 = 0
    /// Actions that went through middlewares and reducers.
    public var reduced: UInt64 = 0
    /// Actions that a full queue threw away. Always 0: the queue is unbounded.
    public var dropped: UInt64 = 0
    /// Actions refused at dispatch: the store was closed, or there was no memory for the queue.
    public var rejected: UInt64 = 0
    /// Actions taken out of the queue because the effect run they belong to was revoked.
    public var cancelled: UInt64 = 0
    /// Actions that wait, the one being handled included.
    public var pending: UInt64 = 0
    /// Batches drained.
    public var batches: UInt64 = 0
    /// Times a dispatch woke the store's sleeping thread.
    public var wakeUps: UInt64 = 0
    /// Times the pipeline found a slot claimed but not yet filled: a producer was stopped between two instructions.
    public var stalledProducer: UInt64 = 0
    /// Memory segments that the queue holds now.
    public var queueSegments: UInt64 = 0

    /// All zero.
    public init() {}
}
