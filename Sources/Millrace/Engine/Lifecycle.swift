// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The states of a store's life, in their order: a store never goes back.
///
/// | from | event | guard | to |
/// |---|---|---|---|
/// | open | `close()`: `close`, `shutdown` or release | another reference to the core exists | closing |
/// | open | `close()`: release | the caller holds the only reference, so there is no producer | draining |
/// | closing | `endIntake()` | a grace period has passed since the store was closed | draining |
/// | closing | `close()`: release | the caller holds the only reference, so there is no producer | draining |
/// | draining | `finish()`, by the consumer | the queue is empty; messages are refused | finished |
/// | finished | `end()` | the middlewares, reducers, subscribers and plugins have been released | ended |
///
/// **Abandonment** is no state of its own: it changes how a store drains. After `abandon()` (StoreCore+Engine.swift;
/// the deadline of a shutdown has passed) the consumer finishes its current action, drops the actions that wait, and
/// delivers the messages.
@usableFromInline
enum Lifecycle: UInt8, Comparable, CaseIterable, Sendable {
    /// The queue accepts actions from every thread.
    case open
    /// The queue rejects actions from outside; a producer that saw the store open may still publish its action.
    case closing
    /// No producer publishes any more; the pipeline handles what waits, and what it dispatches itself.
    case draining
    /// The queue is empty and the consumer has given the pipeline away; its parts are being released.
    case finished
    /// The middlewares, reducers and subscribers are released, and everyone who waits for the end has been told.
    case ended

    @usableFromInline
    static func < (left: Lifecycle, right: Lifecycle) -> Bool { left.rawValue < right.rawValue }
}

/// The state of one store's life, and its transitions. Each takes place once; a transition that comes too late or a
/// second time does nothing.
///
/// **Order.** Sequentially consistent. `endIntake()` writes the state, then looks at who consumes; a consumer gives its
/// role away, then reads the state: one of the two finds the other.
final class LifecycleMachine: Sendable {
    /// What the caller of `close()` has to do next.
    enum Closing: Equatable {
        /// Wait for a grace period, then call `endIntake()`.
        case waitsForProducers
        /// Nothing: there is no producer to wait for.
        case drains
        /// Nothing: the store was closed before.
        case wasClosed
    }

    private let state = Atomic<UInt8>(Lifecycle.open.rawValue)

    /// Any thread.
    var current: Lifecycle { Lifecycle(rawValue: state.load(ordering: .sequentiallyConsistent)) ?? .ended }

    /// The store is closed. Any thread.
    ///
    /// - Parameter isOnlyReference: Whether the caller holds the only reference to the core.
    func close(isOnlyReference: Bool) -> Closing {
        if isOnlyReference {
            return move(from: .open, to: .draining) || move(from: .closing, to: .draining) ? .drains : .wasClosed
        }
        return move(from: .open, to: .closing) ? .waitsForProducers : .wasClosed
    }

    /// A grace period has passed since the store was closed. Any thread.
    func endIntake() { _ = move(from: .closing, to: .draining) }

    /// The consumer has emptied the queue and given the pipeline away. By the consumer.
    func finish() { _ = move(from: .draining, to: .finished) }

    /// What the pipeline left has been released. By the thread that released it.
    func end() { _ = move(from: .finished, to: .ended) }

    private func move(from old: Lifecycle, to new: Lifecycle) -> Bool {
        state.compareExchange(expected: old.rawValue, desired: new.rawValue, ordering: .sequentiallyConsistent)
            .exchanged
    }
}
