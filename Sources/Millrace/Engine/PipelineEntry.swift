// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// The pipeline of a store, without its types: what the consumer calls. The calls are specialised where the store is
/// made, so that erasure costs one call a batch.
///
/// Set once, before the store is shared; cleared once, by ``Consumer/finish()``. The consumer's, as everything it calls.
@usableFromInline
struct PipelineEntry {
    /// Takes up to so many slots. Returns less only when it found the queue empty, or is to stop.
    @usableFromInline let drain: (Int) -> Int
    /// Drops up to so many actions, but handles so many exempt ones. Returns how many slots it went past.
    @usableFromInline let discard: (Int, _ exempt: Int) -> Int
    /// Makes the live state the latest snapshot, and tells the subscribers.
    @usableFromInline let publish: () -> Void
    /// Destroys published states that nobody reads any more. Returns whether others still wait for their readers.
    @usableFromInline let reclaim: () -> Bool
    /// Gives the subscribers and the plugins away.
    @usableFromInline let removeSubscribers: () -> Any

    @inlinable
    init(
        drain: @escaping (Int) -> Int,
        discard: @escaping (Int, _ exempt: Int) -> Int,
        publish: @escaping () -> Void,
        reclaim: @escaping () -> Bool,
        removeSubscribers: @escaping () -> Any
    ) {
        self.drain = drain
        self.discard = discard
        self.publish = publish
        self.reclaim = reclaim
        self.removeSubscribers = removeSubscribers
    }
}

/// What a report tells of a pipeline. Constant once the store is shared, also after the end: any thread may ask.
@usableFromInline
struct PipelineNames {
    /// The kind of the action in a slot.
    @usableFromInline let kindOfAction: (UnsafeRawPointer) -> String
    /// The middlewares that have a name, those of plugins included.
    @usableFromInline let middlewares: () -> [RunningMiddleware]

    @inlinable
    init(kindOfAction: @escaping (UnsafeRawPointer) -> String, middlewares: @escaping () -> [RunningMiddleware]) {
        self.kindOfAction = kindOfAction
        self.middlewares = middlewares
    }
}

/// What a pipeline that has ended leaves: released by whoever ran it last, once that thread no longer counts as the
/// pipeline's, so that what middlewares dispatch when they go is refused and counted. A second copy, in a variable of an
/// unoptimised build for instance, would keep the middlewares beyond the end; so there is none.
struct RetiredPipeline: ~Copyable {
    let entry: PipelineEntry?
    let probe: ProbeBox?
    let subscribers: Any?
}
