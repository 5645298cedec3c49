// SPDX-License-Identifier: Apache-2.0

/// The object to which an ``AnyActionHandler`` passes its actions: the core of a store, or a sink in front of it.
///
/// Subclass it to receive the dispatched actions. Any thread may call `accept`, even when only an ``AnyActionHandler``
/// still holds the sink. An instance of this class itself ignores all actions.
open class ActionSink<ActionType>: @unchecked Sendable {
    // Unchecked because the compiler cannot prove an open class Sendable. A subclass is responsible for its own
    // properties.

    /// Finds the bounded store that an action would enter now; nil if a handler on the way would filter out the action.
    @usableFromInline package typealias FindRoom = @Sendable (ActionType) -> (any Backpressure)?

    /// Nil if no bounded store is behind this sink, or if the store cannot be determined. Set before the sink is
    /// shared.
    @usableFromInline package final var findRoom: FindRoom?

    /// Creates a sink that ignores all actions.
    public init() {}

    /// Receives an action, the cause that its output carried, and the effect run to which the action belongs.
    open func accept(_ dispatchedAction: sending DispatchedAction<ActionType>, cause: ActionCause, run: EffectRun?) {}
}
