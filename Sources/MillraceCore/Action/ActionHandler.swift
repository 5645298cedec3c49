// SPDX-License-Identifier: Apache-2.0

/// A target for actions: a store, a projection of a store, or the output that is passed to a middleware.
///
/// ```swift
/// handler.dispatch(.tapped)                       // the source is this line
/// handler.dispatch(.tapped, from: dispatcher)     // the source is someone else's
/// ```
///
/// A conforming type implements the form that takes a ``DispatchedAction``. The other forms call
/// ``dispatch(_:from:)``, which calls that one, with the source unchanged. A type that implements
/// ``dispatch(_:from:)``, too, must not call a form with `file` in it, which would call it again.
public protocol ActionHandler<ActionType> {
    /// The actions that can be dispatched.
    associatedtype ActionType

    /// Dispatches an action together with its source.
    func dispatch(_ dispatchedAction: sending DispatchedAction<ActionType>)

    /// Dispatches an action with the place where it came from. By default, calls the other requirement.
    ///
    /// Type-erased stores and projections call it. A store implements it because the two parts of a dispatched action
    /// are handed over faster one by one.
    func dispatch(_ action: sending ActionType, from dispatcher: ActionSource)
}

extension ActionHandler {
    /// Dispatches an action with the place of this call as its source.
    @inlinable
    public func dispatch(
        _ action: sending ActionType,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil
    ) {
        dispatch(action, from: ActionSource(file: file, function: function, line: line, info: info))
    }

    /// Dispatches an action whose source is given as `String`s.
    @_disfavoredOverload
    @inlinable
    public func dispatch(
        _ action: sending ActionType,
        file: String = #fileID,
        function: String = #function,
        line: UInt = #line,
        info: String? = nil
    ) {
        dispatch(action, from: ActionSource(file: file, function: function, line: line, info: info))
    }

    /// Dispatches an action whose source is already known.
    @inlinable
    public func dispatch(_ action: sending ActionType, from dispatcher: ActionSource) {
        dispatch(DispatchedAction(action, dispatcher: dispatcher))
    }

    /// Returns a handler for another action type, which transforms each action and keeps its source.
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

    /// Returns this handler type-erased. A handler that is a class is held strongly.
    @inlinable
    public func eraseToAnyActionHandler() -> AnyActionHandler<ActionType> {
        AnyActionHandler(self)
    }
}
