// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// The closures through which the consumer calls a pipeline, without the pipeline's types. They are specialised in the
/// client's module, so type erasure costs one call a batch.
///
/// A class, because a copy of a structure would retain each closure: 41 instructions a batch.
///
/// It is set once, before the store is shared, and removed once, by ``Consumer/finish()``. Only the consumer calls the
/// closures.
@usableFromInline
final class PipelineEntry {
    /// Handles up to the given number of actions, urgent and internal ones included, and returns how many. Returns
    /// fewer only if nothing waits or the store was abandoned. A message ends the batch: then it returns the given
    /// number.
    @usableFromInline let drain: (Int) -> Int
    /// Handles up to the given number of urgent and internal actions, and returns how many; the given number if it
    /// delivered a message.
    @usableFromInline let drainBeside: (Int) -> Int
    /// Removes the oldest actions until the given number is removed. Drops them, but handles up to `limit` of those
    /// with the flag `Slot.beyondCapacity`. Delivers the messages between them, and handles the waiting urgent and
    /// internal actions before a message. With `limit` 0 it handles no action. Returns 0 only if it removed nothing.
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

/// What a consumer calls, as one value, so that the end of the pipeline removes it in one step.
@usableFromInline
struct PipelineCalls {
    /// The pipeline, set once.
    @usableFromInline var entry: PipelineEntry?
    /// The probe of the pipeline; nil if there is none.
    @usableFromInline var probe: ProbeBox?
    /// The handler of unmatched actions; nil if there is none.
    var onUnmatched: UnmatchedHandler?
}

/// Closures that give a report the names in a pipeline. Any thread may call them, also after the pipeline's end.
@usableFromInline
struct PipelineNames {
    /// Returns the kind of the action in a slot. The action must stay in its slot meanwhile.
    @usableFromInline let kindOfAction: (UnsafeRawPointer) -> String
    /// Returns the middlewares that have a name, those of the installed plugins included.
    @usableFromInline let middlewares: () -> [RunningMiddleware]

    @inlinable
    init(kindOfAction: @escaping (UnsafeRawPointer) -> String, middlewares: @escaping () -> [RunningMiddleware]) {
        self.kindOfAction = kindOfAction
        self.middlewares = middlewares
    }
}

/// The parts of a pipeline that has ended. The thread that ended it releases them when it no longer counts as the
/// pipeline's thread (`Consumer.asConsumer`). So an action that a middleware dispatches while it is destroyed is
/// rejected and counted.
///
/// Not copyable: an unoptimised build may keep a copy in a local variable, and the copy would keep the middlewares
/// alive.
struct RetiredPipeline: ~Copyable {
    var calls = PipelineCalls()
    let subscribers: Any?

    init(subscribers: Any?) {
        self.subscribers = subscribers
    }
}
