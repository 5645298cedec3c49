// SPDX-License-Identifier: Apache-2.0

/// The action that a pipeline handles at present, for a middleware that reports actions.
///
/// ```swift
/// mutating func bind(_ binding: MiddlewareBinding<AppAction, AppState>) {
///     position = binding.position
/// }
/// ```
public struct ActionPosition: Hashable, Sendable {
    /// The number of the action: 1 is the first that the store (or the shard) handled; 0 between two actions. Actions
    /// that were rejected, dropped or cancelled have no number.
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
