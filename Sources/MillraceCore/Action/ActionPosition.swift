// SPDX-License-Identifier: Apache-2.0

/// Which action a pipeline is at: for a middleware that tells of actions.
///
/// ```swift
/// mutating func bind(to state: @escaping GetState<AppState>) {
///     position = MiddlewareRegistry.position     // asked once, while a store binds its middlewares
/// }
/// ```
public struct ActionPosition: Hashable, Sendable {
    /// The action's place in the store's order, from 1; 0 between two actions. It identifies an action, it does not
    /// count them: a drain, a change of plugins and other messages take numbers, too.
    public let number: UInt64
    /// Which actions brought it about.
    public let cause: ActionCause

    /// An action's number and cause.
    @inlinable
    public init(number: UInt64, cause: ActionCause) {
        self.number = number
        self.cause = cause
    }

    /// No action.
    @inlinable
    public static var none: ActionPosition { ActionPosition(number: 0, cause: .none) }
}
