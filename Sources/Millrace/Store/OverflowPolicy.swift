// SPDX-License-Identifier: Apache-2.0

/// Decides what `dispatch` does when a bounded store is full. The policy does not apply to `offer`, which returns
/// `OfferResult.full`, nor to `send`, which waits.
///
/// ``StoreMetrics/dropped`` counts the dropped actions. Control actions and actions that the pipeline itself
/// dispatches are never dropped because a store is full: see ``StoreCapacity``.
public enum OverflowPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// The dispatching thread waits for room. Waiting producers get places in the order in which they came.
    ///
    /// Use it on threads of your own. In a task use `await send`, which blocks no thread of the pool. When the store
    /// closes, waiting threads return and their actions are rejected. A free place may be reserved for a task that
    /// cannot run because this thread is blocked: after one to two seconds the thread then takes a place before the
    /// task.
    case block
    /// The new action is dropped.
    case dropNewest
    /// The new action is accepted, and the oldest waiting action is dropped, whichever call dispatched that one.
    ///
    /// The pipeline drops actions at the start of its next batch, from the head of the queue until the rest fits the
    /// capacity. When twice the capacity waits, the new action is dropped instead, so that memory stays bounded while a
    /// handler is stuck. A `send` is accepted up to the same limit as a `dispatch`.
    case dropOldest
}

extension OverflowPolicy: CustomStringConvertible {
    /// The raw value, also within an array or another value.
    public var description: String { rawValue }
}
