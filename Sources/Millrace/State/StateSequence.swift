// SPDX-License-Identifier: Apache-2.0

/// The states of a store, as ``ReduxStoreBase/states`` gives them to `for await`.
///
/// ```swift
/// for await state in store.states {
///     render(state)
/// }
/// // The store was released and has finished, or the task was cancelled.
/// ```
///
/// **Subscriptions.** Each iterator is a subscription of its own: it begins with the state as it was at its turn in the
/// queue, then come the states that are published and that `emitsValue` lets pass, in order. It ends when the loop is
/// left or the iterator goes.
///
/// **Slow consumers.** The pipeline never waits. What an iterator keeps meanwhile, and what it drops, its
/// ``StateBuffering`` says. `onDrop` is told of every gap, at its place: before the element that follows it (or the
/// end) is returned, on the consumer's task, with the number of states missing. ``Iterator/dropped`` is their sum.
/// Elements and dropped ones together are all that the subscription was told, unless it ends early.
///
/// **End.** After the store was released and its pipeline has finished, once what is buffered was delivered. At once,
/// with what is buffered thrown away, when the task is cancelled. An iterator that is made later than the store was
/// closed ends without an element. The sequence keeps neither the store alive nor its pipeline running.
///
/// **Cost.** A publication costs a lock and the copy of the state for each iterator, and wakes its task if that waits.
/// Memory that was taken for many waiting states is given back when none waits any more.
public struct StateSequence<Element: Sendable>: AsyncSequence, Sendable {
    /// No iterator throws.
    public typealias Failure = Never

    let buffering: StateBuffering
    let onDrop: (@Sendable (Int) -> Void)?
    /// Nil when there is no store any more.
    let subscribe: @Sendable (@escaping @Sendable (Element) -> Void) -> StateSubscription?

    /// Subscribes. Any thread; with ``StoreEngine/caller`` it may do the pipeline's work, as a dispatch.
    public func makeAsyncIterator() -> Iterator {
        let buffer = StateBuffer<Element>(buffering)
        let feed = StateFeed(buffer)
        return Iterator(Consumption(buffer, subscribe { feed.push($0) }), onDrop)
    }
}

/// The pipeline's end of a buffer. The subscriber holds it, and nobody else: when the pipeline lets the subscriber go,
/// or never took it, no more states will come.
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
