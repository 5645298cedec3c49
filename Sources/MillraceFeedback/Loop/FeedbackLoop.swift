// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// A state machine with feedbacks, as a sequence of its states. It is cold: each iteration runs a machine of its own.
///
/// ```swift
/// let blinking = FeedbackLoop.system(
///     initial: 0,
///     feedbacks: [Feedback(effect: { _ in try? await Task.sleep(for: .seconds(1)); return 1 })],
///     reduce: { count, step in count + step }
/// )
/// for await count in blinking.prefix(3) { print(count) }
/// ```
///
/// **Order.** The feedbacks are connected, in order. Then the reader of the sequence gets `initial`. Then the feedbacks
/// see `initial`, in order, and their events are reduced, one after the other. After each event the reader gets the new
/// state before the feedbacks see it. The sequence has the state after each event: no state is left out, also if the
/// reader is slow. All events are handled first in, first out, also those that a feedback answers at once: a loop has
/// no `order:`. A ``ViewModel`` has one.
///
/// **End.** The sequence ends when its task is cancelled. When it ends, or the iterator is released, the machine
/// cancels all effects, and feedbacks begin no new ones.
///
/// **Threads.** The reducer and the feedbacks run on the thread of the `scheduler`, a `StoreEngine`: a loop is a
/// `ReduxStoreBase`. With `.caller`, a feedback that answers every state at once with an event keeps the calling thread
/// forever.
///
/// **Cost.** That of a store that publishes after every action: about 0.1 µs for each event while many come, up to 10
/// µs for a single one. ``ViewModel`` can publish less often.
public struct FeedbackLoop<State: Sendable, Event: Sendable>: AsyncSequence, Sendable {
    /// The states.
    public typealias Element = State
    /// The sequence never throws.
    public typealias Failure = Never

    @usableFromInline let makeMachine: @Sendable () -> FeedbackMachine<State, Event>

    @inlinable
    init(_ makeMachine: @escaping @Sendable () -> FeedbackMachine<State, Event>) {
        self.makeMachine = makeMachine
    }

    /// Returns the states of a machine, with a reducer that changes the state in place.
    ///
    /// - Parameters:
    ///   - initial: The first state.
    ///   - feedbacks: The feedbacks, which look at the states in this order.
    ///   - scheduler: The engine that runs the machine.
    ///   - effects: The clock, priority, capacity and observer of the effects.
    ///   - reduce: The reducer of the events.
    @inlinable
    public static func system(
        initial: State,
        feedbacks: [Feedback<State, Event>],
        scheduler: StoreEngine = .thread(),
        effects: EffectOptions = EffectOptions(),
        reduce: Reducer<Event, State>
    ) -> FeedbackLoop {
        FeedbackLoop {
            .make(
                initial: initial,
                feedbacks: feedbacks,
                engine: scheduler,
                publication: .everyAction,
                effects: effects,
                reducer: reduce
            )
        }
    }

    /// Returns the states of a machine, with a function that returns the next state.
    @inlinable
    public static func system(
        initial: State,
        feedbacks: [Feedback<State, Event>],
        scheduler: StoreEngine = .thread(),
        effects: EffectOptions = EffectOptions(),
        reduce: @escaping @Sendable (State, Event) -> State
    ) -> FeedbackLoop {
        system(
            initial: initial,
            feedbacks: feedbacks,
            scheduler: scheduler,
            effects: effects,
            reduce: .reduce { event, state in state = reduce(state, event) }
        )
    }

    /// Makes a machine, and begins it.
    public func makeAsyncIterator() -> Iterator {
        let machine = makeMachine()
        let states = machine.store.states(.bufferingAll).makeAsyncIterator()
        machine.begin()
        return Iterator(machine, states)
    }

    /// An iterator over the states of one machine, which it keeps.
    public struct Iterator: AsyncIteratorProtocol {
        private var machine: FeedbackMachine<State, Event>?
        private var states: StateSequence<State>.Iterator

        init(_ machine: FeedbackMachine<State, Event>, _ states: StateSequence<State>.Iterator) {
            self.machine = machine
            self.states = states
        }

        /// Waits for the next state and returns it. Returns nil at the end, which releases the machine.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> State? {
            let state = await states.next(isolation: actor)
            if state == nil { machine = nil }
            return state
        }
    }

    /// Makes a machine that calls a subscriber with its states, and begins it. For other forms of streams.
    ///
    /// - Parameters:
    ///   - onSubscribe: Called with a closure that ends the machine, before the first state.
    ///   - onState: Called on the thread of the machine.
    package func run(
        onSubscribe: (@escaping @Sendable () -> Void) -> Void,
        onState: @escaping @Sendable (State) -> Void
    ) {
        let machine = makeMachine()
        let store = machine.store
        // The store holds its subscriber, so the subscriber must not hold the machine.
        let isWanted = Locked(true)
        let kept = Locked<(FeedbackMachine<State, Event>, StateSubscription?)?>((machine, nil))
        onSubscribe {
            isWanted.withLock { $0 = false }
            guard let (machine, subscription) = kept.withLock({ $0.take() }) else { return }
            subscription?.unsubscribe()
            machine.end()
        }
        let subscription = store.subscribe { state in if isWanted.withLock({ $0 }) { onState(state) } }
        let isKept = kept.withLock { kept in
            kept?.1 = subscription
            return kept != nil
        }
        if isKept { machine.begin() } else { subscription.unsubscribe() }
    }
}

@available(*, unavailable)
extension FeedbackLoop.Iterator: Sendable {}
