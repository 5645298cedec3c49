// SPDX-License-Identifier: Apache-2.0

/// An ``ActionHandler`` with its type hidden; the output that an ``IO`` dispatches to is one.
///
/// ```swift
/// IO { output in
///     output.dispatch(.loaded(user))
/// }
/// ```
///
/// It may be kept and used later, any number of times, from any thread: it still carries the cause of the action it
/// was given for. It keeps its target alive.
///
/// **Cost.** 32 bytes; copying it retains the target, dispatching is one virtual call.
public struct AnyActionHandler<ActionType>: ActionHandler, Sendable {
    /// What the actions are given to.
    @usableFromInline package let sink: ActionSink<ActionType>
    /// As ``cause``; changed where outputs are lent.
    @usableFromInline var givenCause: ActionCause
    /// The effect run that dispatched actions belong to, if any.
    public let run: EffectRun?

    /// The cause that dispatched actions will carry.
    @inlinable
    public var cause: ActionCause { givenCause }

    /// A handler in front of a sink.
    @inlinable
    public init(sink: ActionSink<ActionType>, cause: ActionCause = .none, run: EffectRun? = nil) {
        self.sink = sink
        givenCause = cause
        self.run = run
    }

    /// Hides the type of a handler; one that is hidden already is returned as it is.
    @inlinable
    public init<Handler: ActionHandler>(_ realHandler: Handler) where Handler.ActionType == ActionType {
        if let erased = realHandler as? AnyActionHandler<ActionType> {
            self = erased
        } else {
            // SwiftRex's handlers need not be Sendable: they are told that any thread may dispatch.
            let handler = Unchecked<(sending DispatchedAction<ActionType>) -> Void>(realHandler.dispatch)
            self.init(sink: ForwardingSink { action, _, _ in handler.value(action) })
        }
    }

    /// A handler that calls a closure, on the thread that dispatches.
    @preconcurrency
    @inlinable
    public init(_ realHandler: @escaping @Sendable (DispatchedAction<ActionType>) -> Void) {
        self.init(sink: ForwardingSink { action, _, _ in realHandler(action) })
    }

    /// Gives an action and its source to the target, with this output's cause and run.
    @inlinable
    public func dispatch(_ dispatchedAction: DispatchedAction<ActionType>) {
        // Not `sending`, unlike the requirement: in an IO one dispatches what `handle` was given.
        nonisolated(unsafe) let dispatchedAction = dispatchedAction
        sink.accept(dispatchedAction, cause: cause, run: run)
    }

    /// Dispatches an action; its source is this call.
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

    /// Dispatches an action whose source is known as `String`s.
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

    /// Dispatches an action whose source is known.
    @inlinable
    public func dispatch(_ action: ActionType, from dispatcher: ActionSource) {
        dispatch(DispatchedAction(action, dispatcher: dispatcher))
    }

    /// A handler of other actions, which turns each into one of these. Source, cause and run are kept.
    @preconcurrency
    @inlinable
    public func contramap<NewActionType>(
        _ transform: @escaping @Sendable (NewActionType) -> ActionType
    ) -> AnyActionHandler<NewActionType> {
        let sink = sink
        let findRoom = sink.findRoom.map { find in { @Sendable (action: NewActionType) in find(transform(action)) } }
        let contramapped = ForwardingSink<NewActionType>(findRoom: findRoom) { action, cause, run in
            sink.accept(action.map(transform), cause: cause, run: run)
        }
        return AnyActionHandler<NewActionType>(sink: contramapped, cause: cause, run: run)
    }

    /// Itself.
    @inlinable
    public func eraseToAnyActionHandler() -> AnyActionHandler<ActionType> {
        self
    }
}
