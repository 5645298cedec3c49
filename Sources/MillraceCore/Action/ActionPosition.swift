// SPDX-License-Identifier: Apache-2.0

/// The action that a pipeline handles at present, for a middleware that reports actions.
///
/// ```swift
/// mutating func bind(_ binding: MiddlewareBinding<AppAction, AppState>) {
///     position = binding.position
/// }
/// ```
public struct ActionPosition: Hashable, Sendable {
    /// The action's place in the store's order, from 1; 0 between two actions. The number identifies an action. It does
    /// not count actions: a drain, a change of plugins and other messages take numbers, too.
    public let number: UInt64
    /// The cause of the action.
    public let cause: ActionCause

    /// Creates a position from an action's number and cause.
    @inlinable
    public init(number: UInt64, cause: ActionCause) {
        self.number = number
        self.cause = cause
    }

    /// The value that stands for no action.
    @inlinable
    public static var none: ActionPosition { ActionPosition(number: 0, cause: .none) }
}
