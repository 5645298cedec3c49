// SPDX-License-Identifier: Apache-2.0

/// What an ``AnyActionHandler`` points at: the core of a store, or something that stands before it.
///
/// Subclass it to receive what is dispatched; `accept` may be called from any thread, also after everybody else let go.
/// An instance made of this class itself drops everything.
open class ActionSink<ActionType>: @unchecked Sendable {
    // Unchecked because an open class cannot be proved Sendable; a subclass answers for its own properties.

    /// Finds the bounded store to which an action would go now; nil for an action that would be dropped on the way.
    @usableFromInline package typealias FindRoom = @Sendable (ActionType) -> (any Backpressure)?

    /// Nil where no bounded store is behind this sink, or it cannot be known which. Set before the sink is shared.
    @usableFromInline package final var findRoom: FindRoom?

    /// A sink that drops everything.
    public init() {}

    /// Takes an action, the cause that its output carried and the effect run it belongs to.
    open func accept(_ dispatchedAction: sending DispatchedAction<ActionType>, cause: ActionCause, run: EffectRun?) {}
}
