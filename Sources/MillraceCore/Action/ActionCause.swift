// SPDX-License-Identifier: Apache-2.0

/// Which action brought another one about.
///
/// ```swift
/// // Action 7 came from outside; an IO of it dispatched action 9, and an IO of that one this action:
/// ActionCause(parent: 9, root: 7)
/// ```
///
/// A store numbers its actions from 1 in the order it takes them; 0 stands for "from outside". 16 bytes, no references.
public struct ActionCause: Hashable, Sendable {
    /// The number of the action whose middleware dispatched this one; 0 when it came from outside.
    public let parent: UInt64
    /// The number of the action at the start of the chain; 0 when this action is that start.
    public let root: UInt64

    /// A cause of the given numbers.
    @inlinable
    public init(parent: UInt64, root: UInt64) {
        self.parent = parent
        self.root = root
    }

    /// The cause of an action that came from outside.
    @inlinable
    public static var none: ActionCause { ActionCause(parent: 0, root: 0) }
}
