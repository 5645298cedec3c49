// SPDX-License-Identifier: Apache-2.0

/// A type-erased ``ActionHandler``, such as the output to which an ``IO`` dispatches.
///
/// ```swift
/// IO { output in
///     output.dispatch(.loaded(user))
/// }
/// ```
///
/// You may keep it and use it later, any number of times, from any thread. It still carries the cause of the action for
/// which it was created. It keeps its target alive.
///
/// **Cost.** 40 bytes. A copy retains the target; a dispatch is one virtual call.
public struct AnyActionHandler<ActionType>: ActionHandler, Sendable {
    /// The target that receives the actions.
    @usableFromInline package let sink: ActionSink<ActionType>
    /// The stored value of ``cause``. It changes only in an output that is lent (see `UnretainedOutput`).
    @usableFromInline var givenCause: ActionCause
    /// The effect run to which dispatched actions belong, if any.
    public let run: EffectRun?

    /// The cause that dispatched actions carry.
    @inlinable
    public var cause: ActionCause { givenCause }

    /// Creates a handler that passes its actions to a sink.
    @inlinable
    public init(sink: ActionSink<ActionType>, cause: ActionCause = .none, run: EffectRun? = nil) {
        self.sink = sink
        givenCause = cause
        self.run = run
    }

    /// Erases the type of a handler. A handler that is already type-erased is used as it is.
    @inlinable
    public init<Handler: ActionHandler>(_ realHandler: Handler) where Handler.ActionType == ActionType {
        if let erased = realHandler as? AnyActionHandler<ActionType> {
            self = erased
        } else if let store = realHandler as? any UrgentHandler, let sink = store.sink(of: ActionType.self) {
            self.init(sink: sink)
        } else {
            // A SwiftRex handler need not be Sendable, but has to accept calls from any thread.
            let handler = Unchecked<(sending DispatchedAction<ActionType>) -> Void>(realHandler.dispatch)
            self.init(
                sink: ForwardingSink { action, _, _, _ in
                    nonisolated(unsafe) let action = action
                    handler.value(action)
                    return .accepted
                }
            )
        }
    }

    /// Creates a handler that calls a closure, on the dispatching thread.
    @preconcurrency
    @inlinable
    public init(_ realHandler: @escaping @Sendable (DispatchedAction<ActionType>) -> Void) {
        self.init(
            sink: ForwardingSink { action, _, _, _ in
                realHandler(action)
                return .accepted
            }
        )
    }

    /// Passes an action and its source to the target, with the cause and run of this output.
    @inlinable
    public func dispatch(_ dispatchedAction: DispatchedAction<ActionType>) {
        // Not `sending`, unlike the requirement: an IO may dispatch values that were passed to `handle`.
        if let direct = sink.direct {
            // As in `receive`, to which the action would be copied.
            return direct._withUnsafeGuaranteedRef {
                $0.body(dispatchedAction.action, dispatchedAction.dispatcher, cause, run)
            }
        }
        sink.receive(dispatchedAction, cause: cause, run: run)
    }

    /// Dispatches an action with the place of this call as its source.
    @inlinable
    public func dispatch(
        _ action: ActionType,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil
    ) {
        dispatch(DispatchedAction(action, file: file, function: function, line: line, info: info))
    }

    /// Dispatches an action whose source is given as `String`s.
    @_disfavoredOverload
    @inlinable
    public func dispatch(
        _ action: ActionType,
        file: String = #fileID,
        function: String = #function,
        line: UInt = #line,
        info: String? = nil
    ) {
        dispatch(DispatchedAction(action, file: file, function: function, line: line, info: info))
    }

    /// Dispatches an action whose source is already known.
    @inlinable
    public func dispatch(_ action: ActionType, from dispatcher: ActionSource) {
        dispatch(DispatchedAction(action, dispatcher: dispatcher))
    }

    /// Returns a handler for another action type, which transforms each action. Source, cause and run are kept.
    @preconcurrency
    @inlinable
    public func contramap<NewActionType>(
        _ transform: @escaping @Sendable (NewActionType) -> ActionType
    ) -> AnyActionHandler<NewActionType> {
        let sink = sink
        let findRoom = sink.findRoom.map { find in { @Sendable (action: NewActionType) in find(transform(action)) } }
        let contramapped = ForwardingSink<NewActionType>(findRoom: findRoom) { action, cause, run, isUrgent in
            sink.receive(action.map(transform), cause: cause, run: run, isUrgent: isUrgent)
        }
        return AnyActionHandler<NewActionType>(sink: contramapped, cause: cause, run: run)
    }

    /// Returns this handler.
    @inlinable
    public func eraseToAnyActionHandler() -> AnyActionHandler<ActionType> {
        self
    }
}
