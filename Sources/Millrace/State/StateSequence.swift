// SPDX-License-Identifier: Apache-2.0

/// The published states of a store, for `for await`: see ``ReduxStoreBase/states``.
///
/// ```swift
/// for await state in store.states {
///     render(state)
/// }
/// // The store was released and has finished, or the task was cancelled.
/// ```
///
/// **Subscriptions.** Each iterator is a subscription of its own. It begins with the state at the moment when the
/// pipeline reaches the subscription in the queue. Then come, in order, the published states that `emitsValue` lets
/// through. The subscription ends when the loop ends or the iterator is released.
///
/// **Slow loops.** The pipeline never waits for a loop. The ``StateBuffering`` decides which states an iterator keeps
/// and which it drops. `onDrop` is called for every gap, with the number of missing states. It runs on the task that
/// iterates, before the element after the gap (or the end) is returned. ``Iterator/dropped`` is the sum of the missing
/// states. Unless the subscription ends early, elements and dropped states together are all states that it was called
/// with.
///
/// **End.** The sequence ends after the store was released, its pipeline has finished, and the buffered states were
/// returned. When the task is cancelled, it ends at once and drops the buffered states. An iterator that is created
/// after the store was closed ends without an element. The sequence keeps neither the store alive nor its pipeline
/// running.
///
/// **Cost.** For each iterator a publication costs a lock and a copy of the state, and wakes the task if it waits.
/// Memory for many waiting states is freed when no state waits any more.
public struct StateSequence<Element: Sendable>: AsyncSequence, Sendable {
    /// The sequence never throws.
    public typealias Failure = Never

    let buffering: StateBuffering
    let onDrop: (@Sendable (Int) -> Void)?
    /// Subscribes to the store. Returns nil if the store no longer exists.
    let subscribe: @Sendable (@escaping @Sendable (Element) -> Void) -> StateSubscription?

    /// Subscribes to the store and returns an iterator. Any thread. With ``StoreEngine/caller`` the call may run the
    /// pipeline, as a dispatch does.
    public func makeAsyncIterator() -> Iterator {
        let buffer = StateBuffer<Element>(buffering)
        let feed = StateFeed(buffer)
        return Iterator(Consumption(buffer, subscribe { feed.push($0) }), onDrop)
    }
}

/// The pipeline's end of a buffer. Only the subscriber holds it. When the pipeline releases the subscriber, or never
/// accepted it, no more states come, and the buffer ends.
private final class StateFeed<Element: Sendable>: Sendable {
    private let buffer: StateBuffer<Element>

    init(_ buffer: StateBuffer<Element>) {
        self.buffer = buffer
    }

    deinit {
        buffer.finish()
    }

    func push(_ element: Element) {
        buffer.push(element)
    }
}
