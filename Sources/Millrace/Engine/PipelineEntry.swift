// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// The closures through which the consumer calls a pipeline, without the pipeline's types. They are specialised where
/// the store is made, so type erasure costs one call a batch.
///
/// A class, because a copy of a structure would retain each closure: 41 instructions a batch.
///
/// Set once, before the store is shared; cleared once, by ``Consumer/finish()``. Belongs to the consumer, as does
/// everything that the closures call.
@usableFromInline
final class PipelineEntry {
    /// Consumes up to the given number of slots. Returns fewer only if the queue is empty or the pipeline is to stop.
    @usableFromInline let drain: (Int) -> Int
    /// Handles up to the given number of urgent and internal actions.
    @usableFromInline let drainBeside: (Int) -> Int
    /// Drops up to the given number of actions, but handles up to `limit` actions with the flag `Slot.beyondCapacity`.
    /// Returns the number of slots that were popped.
    @usableFromInline let dropOldest: (Int, _ limit: Int) -> Int
    /// Drops all urgent and internal actions.
    @usableFromInline let dropBeside: () -> Void
    /// Publishes the live state, and calls the subscribers.
    @usableFromInline let publish: () -> Void
    /// Destroys published states that no thread reads any more. Returns whether other states still wait for their
    /// readers.
    @usableFromInline let reclaim: () -> Bool
    /// Removes the subscribers, the router and the plugins, and returns them for the caller to release.
    @usableFromInline let removeSubscribers: () -> Any

    @inlinable
    init(
        drain: @escaping (Int) -> Int,
        drainBeside: @escaping (Int) -> Int,
        dropOldest: @escaping (Int, _ limit: Int) -> Int,
        dropBeside: @escaping () -> Void,
        publish: @escaping () -> Void,
        reclaim: @escaping () -> Bool,
        removeSubscribers: @escaping () -> Any
    ) {
        self.drain = drain
        self.drainBeside = drainBeside
        self.dropOldest = dropOldest
        self.dropBeside = dropBeside
        self.publish = publish
        self.reclaim = reclaim
        self.removeSubscribers = removeSubscribers
    }
}

/// The names that a report needs from a pipeline. Constant once the store is shared, also after the end. Any thread may
/// call the closures.
@usableFromInline
struct PipelineNames {
    /// Returns the kind of the action in a slot.
    @usableFromInline let kindOfAction: (UnsafeRawPointer) -> String
    /// Returns the middlewares that have a name, those of plugins included.
    @usableFromInline let middlewares: () -> [RunningMiddleware]

    @inlinable
    init(kindOfAction: @escaping (UnsafeRawPointer) -> String, middlewares: @escaping () -> [RunningMiddleware]) {
        self.kindOfAction = kindOfAction
        self.middlewares = middlewares
    }
}

/// The parts of a pipeline that has ended. The last consumer releases them after it has popped its frame. So an action
/// that a middleware dispatches while it is destroyed is rejected and counted.
///
/// Not copyable: a second copy, such as a variable of an unoptimised build, would keep the middlewares beyond the end.
struct RetiredPipeline: ~Copyable {
    let entry: PipelineEntry?
    let probe: ProbeBox?
    let subscribers: Any?
    let onUnmatched: UnmatchedHandler?
}
