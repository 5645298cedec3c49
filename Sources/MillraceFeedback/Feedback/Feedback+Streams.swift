// SPDX-License-Identifier: Apache-2.0

import MillraceCore

// The feedbacks that turn the stream of states into another stream, which they read in a task.
extension Feedback {
    /// Creates a feedback from a function on streams. The function gets all states of a machine, the initial one first,
    /// and returns the events to send.
    ///
    /// ```swift
    /// Feedback(events: { states in states.filter(\.isOver).map { _ in .restart } })
    /// ```
    ///
    /// No state is left out: the states wait in a buffer until the reader takes them. The stream of states ends with
    /// the loop.
    public init<Events: AsyncSequence & SendableMetatype>(
        events: @escaping @Sendable (AsyncStream<State>) -> Events
    ) where Events.Element == Event, Events.Failure == Never {
        self = .pushing {
            let (feed, states) = StreamFeed<State>.make()
            return (feed.yield, Effect.stream { _ in events(states.take()) })
        }
    }

    /// Creates a feedback that derives a stream of controls from the stream of states, and begins an effect for each of
    /// them. A new control cancels the effect of the previous one.
    public init<Controls: AsyncSequence & SendableMetatype>(
        deriving: @escaping @Sendable (AsyncStream<State>) -> Controls,
        effects: @escaping @Sendable (Controls.Element) -> Effect<Void, Event>
    ) where Controls.Failure == Never {
        self = .pushing {
            let (feed, states) = StreamFeed<State>.make()
            return (feed.yield, .latest(of: { deriving(states.take()) }, effects))
        }
    }

    /// Creates a feedback that derives a stream of controls from the stream of states, and reads a sequence of events
    /// for each of them. A new control cancels the sequence of the previous one.
    @_disfavoredOverload
    public init<Controls: AsyncSequence & SendableMetatype, Events: AsyncSequence & SendableMetatype>(
        deriving: @escaping @Sendable (AsyncStream<State>) -> Controls,
        effects: @escaping @Sendable (Controls.Element) -> Events
    ) where Controls.Failure == Never, Controls.Element: Sendable, Events.Element == Event, Events.Failure == Never {
        self.init(deriving: deriving, effects: { control in Effect.stream { _ in effects(control) } })
    }

    /// Creates a feedback that derives a stream of controls from the stream of states: the same as
    /// `init(deriving:effects:)`.
    public static func compacting<Controls: AsyncSequence & SendableMetatype>(
        state deriving: @escaping @Sendable (AsyncStream<State>) -> Controls,
        effects: @escaping @Sendable (Controls.Element) -> Effect<Void, Event>
    ) -> Feedback where Controls.Failure == Never {
        Feedback(deriving: deriving, effects: effects)
    }

    /// Creates a feedback that derives a stream of controls from the stream of states, and reads a sequence of events
    /// for each of them: the same as `init(deriving:effects:)`.
    @_disfavoredOverload
    public static func compacting<Controls: AsyncSequence & SendableMetatype, Events: AsyncSequence & SendableMetatype>(
        state deriving: @escaping @Sendable (AsyncStream<State>) -> Controls,
        effects: @escaping @Sendable (Controls.Element) -> Events
    ) -> Feedback
    where Controls.Failure == Never, Controls.Element: Sendable, Events.Element == Event, Events.Failure == Never {
        Feedback(deriving: deriving, effects: effects)
    }

    /// Creates a feedback that derives a stream of controls from the stream of events, and begins an effect for each of
    /// them. A new control cancels the effect of the previous one. The function gets no states, not even the initial
    /// one.
    public static func compacting<Controls: AsyncSequence & SendableMetatype>(
        events deriving: @escaping @Sendable (AsyncStream<Event>) -> Controls,
        effects: @escaping @Sendable (Controls.Element) -> Effect<Void, Event>
    ) -> Feedback where Controls.Failure == Never {
        pushingEvents {
            let (feed, events) = StreamFeed<Event>.make()
            return (feed.yield, .latest(of: { deriving(events.take()) }, effects))
        }
    }

    /// Creates a feedback that derives a stream of controls from the stream of events, and reads a sequence of events
    /// for each of them. A new control cancels the sequence of the previous one.
    @_disfavoredOverload
    public static func compacting<Controls: AsyncSequence & SendableMetatype, Events: AsyncSequence & SendableMetatype>(
        events deriving: @escaping @Sendable (AsyncStream<Event>) -> Controls,
        effects: @escaping @Sendable (Controls.Element) -> Events
    ) -> Feedback
    where Controls.Failure == Never, Controls.Element: Sendable, Events.Element == Event, Events.Failure == Never {
        compacting(events: deriving, effects: { control -> Effect<Void, Event> in .stream { _ in effects(control) } })
    }
}

// All feedbacks that turn streams into streams are built on these functions, also those with publishers.
extension Feedback {
    /// A closure that is called with each value on the pipeline's thread, and an effect that begins before the first
    /// call.
    package typealias Feed<Value> = (push: @Sendable (Value) -> Void, effect: Effect<Void, Event>)

    /// Returns a feedback with one long effect, to which the loop pushes its states. `make` is called once for each
    /// run, at the initial state. The closure is released with the loop.
    package static func pushing(_ make: @escaping @Sendable () -> Feed<State>) -> Feedback {
        Feedback { lane in
            let push = FeedbackMemory<(@Sendable (State) -> Void)?>(nil)
            return FeedbackWatch(see: { state, output in
                if push.last == nil {
                    let feed = make()
                    push.last = feed.push
                    lane.replace(by: feed.effect, output)
                }
                push.last?(state)
            })
        }
    }

    /// Returns a feedback with one long effect, to which the loop pushes its events.
    package static func pushingEvents(_ make: @escaping @Sendable () -> Feed<Event>) -> Feedback {
        Feedback { lane in
            let push = FeedbackMemory<(@Sendable (Event) -> Void)?>(nil)
            return FeedbackWatch(
                see: { _, output in
                    // At the initial state, before the first event.
                    guard push.last == nil else { return }
                    let feed = make()
                    push.last = feed.push
                    lane.replace(by: feed.effect, output)
                },
                hear: { event, _ in push.last?(event) }
            )
        }
    }
}

/// The input of a stream, into which the loop puts values. Releasing it ends the stream.
private final class StreamFeed<Element: Sendable>: Sendable {
    private let continuation: AsyncStream<Element>.Continuation

    private init(_ continuation: AsyncStream<Element>.Continuation) {
        self.continuation = continuation
    }

    deinit {
        continuation.finish()
    }

    static func make() -> (feed: StreamFeed, reader: UnreadStream<Element>) {
        let (stream, continuation) = AsyncStream<Element>.makeStream()
        return (StreamFeed(continuation), UnreadStream(stream))
    }

    @Sendable
    func yield(_ element: Element) {
        continuation.yield(element)
    }
}

/// The output of a stream. The first call of `take()` gets the stream, and nothing else keeps it. When the reader has
/// released the stream, the stream keeps no more elements.
private final class UnreadStream<Element: Sendable>: Sendable {
    private let stream: Locked<AsyncStream<Element>?>

    init(_ stream: AsyncStream<Element>) {
        self.stream = Locked(stream)
    }

    func take() -> AsyncStream<Element> {
        stream.withLock { $0.take() } ?? AsyncStream { $0.finish() }
    }
}
