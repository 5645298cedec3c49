// SPDX-License-Identifier: Apache-2.0

/// Anything that actions can be dispatched to: a store, a projection of it, the output given to a middleware.
///
/// ```swift
/// handler.dispatch(.tapped)                       // the source is this line
/// handler.dispatch(.tapped, from: dispatcher)     // the source is someone else's
/// ```
///
/// A conformance implements the one form that takes a ``DispatchedAction``; all others end there, source unchanged.
public protocol ActionHandler<ActionType> {
    /// The actions that can be dispatched.
    associatedtype ActionType

    /// Dispatches an action together with its source.
    func dispatch(_ dispatchedAction: sending DispatchedAction<ActionType>)
}

extension ActionHandler {
    /// Dispatches an action; its source is this call.
    @inlinable
    public func dispatch(
        _ action: sending ActionType,
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
        _ action: sending ActionType,
        file: String = #fileID,
        function: String = #function,
        line: UInt = #line,
        info: String? = nil
    ) {
        dispatch(DispatchedAction(action, file: file, function: function, line: line, info: info))
    }

    /// Dispatches an action whose source is known.
    @inlinable
    public func dispatch(_ action: sending ActionType, from dispatcher: ActionSource) {
        dispatch(DispatchedAction(action, dispatcher: dispatcher))
    }

    /// A handler of other actions, which turns each into one of these. The source is kept.
    ///
    /// ```swift
    /// let auth: AnyActionHandler<AuthAction> = store.contramap(AppAction.auth)
    /// ```
    @preconcurrency
    @inlinable
    public func contramap<NewActionType>(
        _ transform: @escaping @Sendable (NewActionType) -> ActionType
    ) -> AnyActionHandler<NewActionType> {
        AnyActionHandler(self).contramap(transform)
    }

    /// The same handler with its type hidden. A class is kept strongly.
    @inlinable
    public func eraseToAnyActionHandler() -> AnyActionHandler<ActionType> {
        AnyActionHandler(self)
    }
}
