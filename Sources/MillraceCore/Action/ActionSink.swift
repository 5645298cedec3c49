// SPDX-License-Identifier: Apache-2.0

/// What an ``AnyActionHandler`` points at: the core of a store, or something that stands before it.
///
/// Subclass it to receive what is dispatched; `accept` may be called from any thread, also after everybody else let go.
/// An instance made of this class itself throws everything away.
open class ActionSink<ActionType>: @unchecked Sendable {
    // Unchecked because an open class cannot be proved Sendable; a subclass answers for its own properties.

    /// A sink that throws everything away.
    public init() {}

    /// Takes an action, the cause that its output carried and the effect run it belongs to.
    open func accept(_ dispatchedAction: sending DispatchedAction<ActionType>, cause: ActionCause, run: EffectRun?) {}
}
