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
    @usableFromInline @exclusivity(unchecked) package final var findRoom: FindRoom?

    /// Whether `findRoom` is there. Other modules read this instead, because the compiler would check their accesses to
    /// it.
    @inlinable package final var isBounded: Bool {
        if case .some = findRoom { true } else { false }
    }

    /// The same as ``accept(_:cause:run:)``, specialised where a store was made: a virtual method of a generic class is
    /// not, and asks the runtime for the types of its actions. Nil for other sinks. Set before the sink is shared.
    @usableFromInline @exclusivity(unchecked) package final var direct: Unmanaged<DirectEntry<ActionType>>?
    /// Keeps the object behind `direct`, which is not retained for a call.
    @exclusivity(unchecked) private final var keptDirect: DirectEntry<ActionType>?

    /// Sets `direct`. Called before the sink is shared.
    @usableFromInline
    package final func setDirect(_ entry: DirectEntry<ActionType>) {
        keptDirect = entry
        direct = .passUnretained(entry)
    }

    @usableFromInline package typealias Forward =
        @Sendable (DispatchedAction<ActionType>, ActionCause, EffectRun?, _ isUrgent: Bool) -> OfferResult

    /// Passes an action on, in a sink that does nothing else; nil for other sinks. It is called instead of the virtual
    /// methods, for the same reason as `direct`. The action is no `sending` parameter, because that would copy it. Set
    /// before the sink is shared.
    @usableFromInline @exclusivity(unchecked) package final var forward: Forward?

    /// Creates a sink that ignores all actions.
    public init() {}

    /// Receives an action, the cause that its output carried, and the effect run to which the action belongs.
    open func accept(_ dispatchedAction: sending DispatchedAction<ActionType>, cause: ActionCause, run: EffectRun?) {}

    /// Receives an urgent action, which a store handles before the actions that wait.
    ///
    /// Override it if the sink passes actions to another sink. A sink that does not override it receives the action by
    /// ``accept(_:cause:run:)``, so that the action is not lost; but it is then an action like any other.
    open func acceptUrgently(
        _ dispatchedAction: sending DispatchedAction<ActionType>,
        cause: ActionCause,
        run: EffectRun?
    ) -> OfferResult {
        accept(dispatchedAction, cause: cause, run: run)
        return .accepted
    }

    /// Passes an action to the sink, as ``accept(_:cause:run:)`` does. If the sink has code that is specialised for the
    /// type of the actions, that code is called. The action is not `sending`, as in every output: the code that
    /// dispatches it may have kept parts of it.
    @inlinable
    package final func receive(_ dispatchedAction: DispatchedAction<ActionType>, cause: ActionCause, run: EffectRun?) {
        if let direct {
            return direct._withUnsafeGuaranteedRef {
                $0.body(dispatchedAction.action, dispatchedAction.dispatcher, cause, run)
            }
        }
        if let forward {
            _ = forward(dispatchedAction, cause, run, false)
        } else {
            nonisolated(unsafe) let dispatchedAction = dispatchedAction
            accept(dispatchedAction, cause: cause, run: run)
        }
    }

    /// Passes an action to the sink in the same way, or as an urgent action.
    @inlinable @discardableResult
    final func receive(
        _ dispatchedAction: DispatchedAction<ActionType>,
        cause: ActionCause,
        run: EffectRun?,
        isUrgent: Bool
    ) -> OfferResult {
        if isUrgent {
            nonisolated(unsafe) let dispatchedAction = dispatchedAction
            return acceptUrgently(dispatchedAction, cause: cause, run: run)
        }
        receive(dispatchedAction, cause: cause, run: run)
        return .accepted
    }
}
