// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// Watches the states of a feedback loop, and answers with events.
///
/// ```swift
/// let search = Feedback<Search, Search.Event>(
///     skippingRepeated: { $0.query.isEmpty ? nil : $0.query },
///     effect: { query in .found(await titles(matching: query)) }
/// )
/// ```
///
/// A feedback looks at the initial state and at the state after each event. The value that it selects from the state,
/// its *control*, decides which effect runs. A feedback runs one effect at a time.
///
/// | constructor | begins an effect | cancels it |
/// |---|---|---|
/// | `effects:` | at every state | at the next state |
/// | `lensing:` | at every state whose control is not nil | at the next state |
/// | `predicate:` | at every state for which it is true (level-triggered) | at the next state |
/// | `skippingRepeated:` | when the control is not equal to the previous one | when it changes, also to nil |
/// | `whenBecomesTrue:` | when it becomes true (edge-triggered) | when it becomes false |
/// | `firstValueAfterNil:` | when the control changes from nil to a value | when it becomes nil |
/// | `compacting:` | at every state whose control is not nil | when the next one begins |
/// | `deriving:`, `compacting(state:)`, `compacting(events:)` | for each value of a stream that you derive | when the next one begins |
/// | `events:` | none: you turn the stream of states into a stream of events | |
///
/// The edge-triggered feedbacks assume that before the initial state the predicate was false and the control nil.
///
/// **Effects** have three forms: an `Effect` of `MillraceEffects`, which can wait, retry and time out; an
/// `AsyncSequence` of events (`effects:`); an asynchronous closure that returns an event or nil (`effect:`).
/// `MillraceCombine` adds a fourth form: a publisher of events. A feedback ignores the token and the policy of an
/// effect.
///
/// **Order.** When the input of a feedback changes, the effect of the old input is cancelled, then the new one begins.
/// The events of a cancelled effect that still wait in the queue are removed from it and counted as cancelled. They are
/// also removed if the effect has already completed: a new state never gets events from the effect of an older state.
/// The exception is an effect that ends as soon as it begins, such as `.just(event)`: its events stay in the queue. The
/// events of effects are put at the tail of the queue, and reduced one after the other.
///
/// **Threads.** The closures of a feedback run on the thread of the loop's pipeline; they must not block. Effects run
/// on the threads that `MillraceEffects` documents. The closures that make streams are called once for each run of the
/// loop.
///
/// **Cost.** A feedback that does not begin or cancel an effect costs a call and a comparison for each event, and no
/// allocation. A feedback that makes a stream puts every state into it, which costs some allocations.
public struct Feedback<State: Sendable, Event: Sendable>: Sendable {
    /// Connects one feedback to one loop.
    @usableFromInline typealias Part = @Sendable (FeedbackLane<State, Event>) -> FeedbackWatch<State, Event>

    @usableFromInline let parts: [Part]

    @usableFromInline
    init(parts: [Part]) {
        self.parts = parts
    }

    @inlinable
    init(_ part: @escaping Part) {
        parts = [part]
    }

    /// Creates a feedback from a closure that looks at each state, and begins and cancels the feedback's effect.
    @inlinable
    init<Memory>(
        remembering initial: @escaping @Sendable () -> Memory,
        _ look:
            @escaping @Sendable (
                State, FeedbackMemory<Memory>, FeedbackLane<State, Event>, FeedbackOutput<State, Event>
            ) -> Void
    ) {
        self.init { lane in
            let memory = FeedbackMemory(initial())
            return FeedbackWatch(see: { state, output in look(state, memory, lane, output) })
        }
    }

    /// Returns one feedback that does what all of these do. Each feedback keeps its own effect. They look at a state in
    /// the order of the arguments.
    ///
    /// ```swift
    /// let network = Feedback.combine(loading, retrying, prefetching)
    /// ```
    public static func combine(_ feedbacks: Feedback...) -> Feedback {
        combine(feedbacks)
    }

    /// Returns one feedback that does what all of these do.
    public static func combine(_ feedbacks: [Feedback]) -> Feedback {
        Feedback(parts: feedbacks.flatMap(\.parts))
    }
}
