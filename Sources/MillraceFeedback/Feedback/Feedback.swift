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
/// A feedback looks at the initial state and at the state after each event. What it finds there, its *control*, decides
/// which effect runs. A feedback runs one effect at a time.
///
/// | constructor | begins an effect | cancels it |
/// |---|---|---|
/// | `effects:` | at every state | at the next state |
/// | `lensing:` | at every state whose control is not nil | at the next state |
/// | `predicate:` | at every state for which it is true (level-triggered) | at the next state |
/// | `skippingRepeated:` | when the control is not equal to the one before | when it changes, also to nil |
/// | `whenBecomesTrue:` | when it becomes true (edge-triggered) | when it becomes false |
/// | `firstValueAfterNil:` | when the control was nil and no longer is | when it becomes nil |
/// | `compacting:` | at every state whose control is not nil | when the next one begins |
/// | `deriving:`, `compacting(state:)`, `compacting(events:)` | for each value of a stream that you derive | when the next one begins |
/// | `events:` | none: you turn the stream of states into a stream of events | |
///
/// For the edges, the time before the initial state counts as false, or as nil.
///
/// **Effects** are given in one of three forms: an `Effect` of `MillraceEffects`, which can wait, retry and time out; an
/// `AsyncSequence` of events (`effects:`); an asynchronous closure that returns an event or nil (`effect:`). With
/// `MillraceCombine` a publisher of events is the fourth. An effect's own token and policy are ignored.
///
/// **Order.** When the input of a feedback changes, the effect of the old input is cancelled, then the new one begins.
/// The events of a cancelled effect that still wait in the queue are removed from it and counted as cancelled. That holds
/// also if the effect has completed by then: no state is answered by the effect of an older one. The exception is an
/// effect that was over as soon as it had begun, such as `.just(event)`: its events are answers to that state, and stay.
/// Events go to the tail of the queue, and are reduced one after the other.
///
/// **Threads.** The closures of a feedback run on the thread of the loop's pipeline; they must not block. Effects run
/// where effects run. The closures that make streams are called once for each run of the loop.
///
/// **Cost.** A feedback that does not begin or cancel an effect costs a call and a comparison for each event, and no
/// allocation. Those that make streams hand over every state, with some allocations.
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

    /// Creates a feedback from a look at each state, which has the feedback's effect in its hands.
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

    /// Returns one feedback that does what all of these do. Each keeps its own effect; they look at a state in order.
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
