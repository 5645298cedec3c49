// SPDX-License-Identifier: Apache-2.0

/// The action that caused another action.
///
/// ```swift
/// // Action 7 came from outside; an IO of it dispatched action 9, and an IO of that one this action:
/// ActionCause(parent: 9, root: 7)
/// ```
///
/// A store numbers the actions that it handles: 1, 2, 3, … (``ActionPosition``). The number 0 means "from outside": no
/// action caused it. In a sharded store every shard has numbers of its own, so a cause also holds the shards. 24 bytes,
/// no references.
public struct ActionCause: Hashable, Sendable {
    /// The number of the action whose middleware dispatched this action; 0 for an action from outside.
    public let parent: UInt64
    /// The number of the first action in the chain; 0 if this action is the first.
    public let root: UInt64
    /// The shard that handled the parent; 0 in a store without shards, and for an action from outside.
    public let parentShard: UInt16
    /// The shard that handled the first action in the chain; 0 as above.
    public let rootShard: UInt16

    /// Creates a cause from the numbers of two actions, and from the shards that handled them.
    @inlinable
    public init(parent: UInt64, root: UInt64, parentShard: UInt16 = 0, rootShard: UInt16 = 0) {
        self.parent = parent
        self.root = root
        self.parentShard = parentShard
        self.rootShard = rootShard
    }

    /// The cause of an action from outside.
    @inlinable
    public static var none: ActionCause { ActionCause(parent: 0, root: 0) }
}
