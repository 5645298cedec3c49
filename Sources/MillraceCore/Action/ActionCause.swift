// SPDX-License-Identifier: Apache-2.0

/// The action that caused another action.
///
/// ```swift
/// // Action 7 came from outside; an IO of it dispatched action 9, and an IO of that one this action:
/// ActionCause(parent: 9, root: 7)
/// ```
///
/// A store numbers its actions from 1, in queue order. The number 0 means "from outside": no action caused it. 16
/// bytes, no references.
public struct ActionCause: Hashable, Sendable {
    /// The number of the action whose middleware dispatched this action; 0 for an action from outside.
    public let parent: UInt64
    /// The number of the first action in the chain; 0 if this action is the first.
    public let root: UInt64

    /// Creates a cause from the numbers of two actions.
    @inlinable
    public init(parent: UInt64, root: UInt64) {
        self.parent = parent
        self.root = root
    }

    /// The cause of an action from outside.
    @inlinable
    public static var none: ActionCause { ActionCause(parent: 0, root: 0) }
}
