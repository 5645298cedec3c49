// SPDX-License-Identifier: Apache-2.0

/// How many actions may wait in a store, and what a dispatch does when there are that many.
///
/// ```swift
/// let store = ReduxStoreBase(
///     initialState: 0, reducer: reducer, capacity: .bounded(10_000, overflow: .dropOldest)
/// )
/// ```
///
/// **What counts.** All that was dispatched and is not finished, the action being handled included. Room is asked for
/// before an action goes in, without a lock, so each producer that is in the middle of a dispatch may overshoot by
/// one, a run of `dispatch(contentsOf:)` by up to 256.
///
/// **Standing in line.** Threads and tasks that wait for room are granted places when a quarter of the capacity is free
/// (with `.block`; at once where others are dropped), so that not every action wakes somebody. Who waits longest is
/// granted a place first; those that are granted places together go in in any order. Until then nobody else gets in
/// either: a store with a stuck handler and a depth of 80 % is full for everybody. No metric counts those that wait.
///
/// **Exempt** are control actions (``ReduxStoreBase/dispatch(control:file:function:line:info:)``), and whatever is
/// dispatched by the pipeline itself: on its thread, by handlers, works and subscribers, or on its queue. Those could
/// not wait for room that only they can make, and are not thrown away as the oldest either. So are the results of
/// effects (`MillraceEffects`); those of tasks and streams wait for room first, and block no thread.
///
/// **Cost.** A bounded store looks at two more words an action; an unbounded one pays nothing.
public struct StoreCapacity: Sendable, Hashable {
    @usableFromInline let actions: Int?
    @usableFromInline let overflow: OverflowPolicy

    /// As many as there is memory for. The default.
    public static let unbounded = StoreCapacity(actions: nil, overflow: .block)

    /// At most so many, at least 1.
    public static func bounded(_ actions: Int, overflow: OverflowPolicy = .block) -> StoreCapacity {
        StoreCapacity(actions: max(1, actions), overflow: overflow)
    }
}
