// SPDX-License-Identifier: Apache-2.0

/// An action and the place in the code that dispatched it.
///
/// ```swift
/// let dispatched = DispatchedAction(AppAction.started)
/// dispatched.dispatcher.line      // the line above
/// ```
///
/// Equality and hash include the dispatcher: two equal actions from different lines are not equal.
public struct DispatchedAction<Action> {
    /// The action.
    public let action: Action
    /// The place of the first dispatch; ``map(_:)`` and all functions built on it keep it.
    public let dispatcher: ActionSource

    /// Creates an action with a known source.
    @inlinable
    public init(_ action: Action, dispatcher: ActionSource) {
        self.action = action
        self.dispatcher = dispatcher
    }

    /// Creates an action with the place of this call as its source.
    @inlinable
    public init(
        _ action: Action,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil
    ) {
        self.init(action, dispatcher: ActionSource(file: file, function: function, line: line, info: info))
    }

    /// Creates an action whose source is given as `String`s.
    @_disfavoredOverload
    @inlinable
    public init(
        _ action: Action,
        file: String = #fileID,
        function: String = #function,
        line: UInt = #line,
        info: String? = nil
    ) {
        self.init(action, dispatcher: ActionSource(file: file, function: function, line: line, info: info))
    }

    /// Transforms the action and keeps the dispatcher.
    @inlinable
    public func map<NewAction>(_ transform: (Action) -> NewAction) -> DispatchedAction<NewAction> {
        DispatchedAction<NewAction>(transform(action), dispatcher: dispatcher)
    }

    /// Transforms the action and keeps the dispatcher; returns nil if `transform` returns nil.
    @inlinable
    public func compactMap<NewAction>(_ transform: (Action) -> NewAction?) -> DispatchedAction<NewAction>? {
        transform(action).map { DispatchedAction<NewAction>($0, dispatcher: dispatcher) }
    }
}

extension DispatchedAction: Sendable where Action: Sendable {}
extension DispatchedAction: Equatable where Action: Equatable {}
extension DispatchedAction: Hashable where Action: Hashable {}
extension DispatchedAction: Decodable where Action: Decodable {}
extension DispatchedAction: Encodable where Action: Encodable {}
