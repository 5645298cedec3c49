// SPDX-License-Identifier: Apache-2.0

/// The most actions that may wait in a store, and the policy for a dispatch to a full store.
///
/// ```swift
/// let store = ReduxStoreBase(
///     initialState: 0, reducer: reducer, capacity: .bounded(10_000, overflow: .dropOldest)
/// )
/// ```
///
/// **What counts.** All actions that were dispatched and are not finished, the action being handled included. A
/// producer checks for room before it pushes an action, without a lock. So each producer in the middle of a dispatch
/// may exceed the capacity by one action, and a run of `dispatch(contentsOf:)` by up to 256.
///
/// **Waiting producers.** With `.block`, waiting threads and tasks get places when a quarter of the capacity is free,
/// so that not every action wakes a producer. With the other policies they get places as soon as one is free. The
/// producer that has waited longest gets a place first. Producers that get places at the same time push their actions
/// in any order. While producers wait, no other producer gets a place: a store with a stuck handler and a depth of 80 %
/// is full for all. No counter shows the number of waiting producers.
///
/// **Control actions** (``ReduxStoreBase/dispatch(control:file:function:line:info:)``) are not limited by the capacity.
/// Nor are actions that the pipeline itself dispatches: on its thread, from handlers, IOs and subscribers, or on its
/// queue. The pipeline cannot wait for room that only it can make, and these actions are not dropped as the oldest
/// either. The same holds for the results of effects (`MillraceEffects`). Effects of tasks and streams wait for room
/// first, without blocking a thread.
///
/// **Cost.** A bounded store reads two more words for each action; an unbounded store pays nothing.
public struct StoreCapacity: Sendable, Hashable {
    @usableFromInline let actions: Int?
    @usableFromInline let overflow: OverflowPolicy

    /// No limit but the memory. The default.
    public static let unbounded = StoreCapacity(actions: nil, overflow: .block)

    /// Returns a capacity of this many actions, and of one action if the number is smaller than 1.
    ///
    /// - Parameters:
    ///   - actions: The most actions that may wait.
    ///   - overflow: What a dispatch to the full store does. Default: ``OverflowPolicy/block``, the dispatching thread
    ///     waits.
    public static func bounded(_ actions: Int, overflow: OverflowPolicy = .block) -> StoreCapacity {
        StoreCapacity(actions: max(1, actions), overflow: overflow)
    }
}

extension StoreCapacity: CustomStringConvertible {
    /// The capacity as it is written in code: `.bounded(8, overflow: .block)`.
    public var description: String {
        actions.map { ".bounded(\($0), overflow: .\(overflow))" } ?? ".unbounded"
    }
}
