// SPDX-License-Identifier: Apache-2.0

/// How often a middleware got a copy of its state: from the getter that `handle` or `afterReduce` receives, or from a
/// call of its `StateReader`.
///
/// A copy of a container shares the container's memory. If the middleware still holds the copy when the reducers run,
/// in an IO, in an effect or in a property, the first change that they make copies the whole container. And a lift by a
/// closure that computes its part computes it for each copy.
///
/// After each reading, the first 16 measured actions are checked, and then one in 509. Not counted are copies on other
/// threads, and those in an IO that a journal holds until its action is durable.
public struct StateCopies: Sendable, Hashable {
    /// The number of actions that were checked, whichever middleware handled them.
    public internal(set) var actions: UInt64
    /// The number of those in which the middleware got a copy in `handle`.
    public internal(set) var beforeReducers: UInt64
    /// The number of those in which the middleware got a copy in its IO or in `afterReduce`.
    public internal(set) var afterReducers: UInt64

    /// Creates the counts. Without arguments, no action was checked.
    public init(actions: UInt64 = 0, beforeReducers: UInt64 = 0, afterReducers: UInt64 = 0) {
        self.actions = actions
        self.beforeReducers = beforeReducers
        self.afterReducers = afterReducers
    }

    mutating func add(_ other: StateCopies) {
        actions += other.actions
        beforeReducers += other.beforeReducers
        afterReducers += other.afterReducers
    }
}
