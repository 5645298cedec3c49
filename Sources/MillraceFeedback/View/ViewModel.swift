// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// One running feedback loop, to which any thread may send events.
///
/// ```swift
/// let model = ViewModel<Counter, Counter.Event>(initial: Counter(), feedbacks: [], reducer: Counter.reduce)
/// model.send(event: .increment)
/// model.mutate(keyPath: \.step, value: 10)
/// for await counter in model.state { print(counter.count) }
/// ```
///
/// A view model has one machine, which the initialiser starts. All readers of ``state`` see the states of that machine.
///
/// A subclass gives a loop a name: it calls one of the initialisers, as in
/// `super.init(initial: Counter(), feedbacks: [saving], reducer: Counter.reduce)`.
///
/// **Views.** It is a `StoreType` of events and states, so it can be projected. `asObservableStore(initialState:)` of
/// `MillraceObservation` makes an observable store, which notifies an observer only of the members that the observer
/// reads. `Widget` and ``TerminalWidget`` use it.
///
/// **Threads.** Any thread may call any member. Events and mutations wait in one queue and are handled in one order, on
/// the thread of the `scheduler`: first in, first out, unless you give another `order`. For an urgent event use
/// `model.store.dispatch(urgent: .event(.stop))`.
///
/// **Release.** Releasing the last reference cancels all effects. The loop still reduces the events that were sent
/// before.
open class ViewModel<State: Sendable, Event: Sendable>: StoreType, @unchecked Sendable {
    // Unchecked because the compiler cannot prove an open class Sendable: the only property is a constant. A subclass
    // is responsible for the properties that it adds.
    @usableFromInline final let machine: FeedbackMachine<State, Event>

    /// The store that runs the loop, for its metrics, probes and shutdown.
    public final let store: ReduxStoreBase<FeedbackInput<State, Event>, State>

    /// Creates a view model and begins its loop, with a reducer that changes the state in place.
    ///
    /// - Parameters:
    ///   - initial: The first state.
    ///   - feedbacks: The feedbacks, which look at the states in this order.
    ///   - scheduler: The engine that runs the loop; `.main` for a view that wants each state before `send` returns.
    ///   - publication: When readers and subscribers see a new state. Default: at the end of each batch of events.
    ///   - order: When the events are handled that feedbacks answer at once, as with `.just(event)`. Default: after the
    ///     events that already wait. With `.internalFirst` before them, so feedbacks that answer each other forever keep
    ///     the events of other threads waiting.
    ///   - effects: The clock, priority, capacity and observer of the effects.
    ///   - reducer: The reducer of the events.
    @inlinable
    public init(
        initial: State,
        feedbacks: [Feedback<State, Event>],
        scheduler: StoreEngine = .thread(),
        publication: Publication = .batch,
        order: ActionOrder = .fifo,
        effects: EffectOptions = EffectOptions(),
        reducer: Reducer<Event, State>
    ) {
        machine = .make(
            initial: initial,
            feedbacks: feedbacks,
            engine: scheduler,
            publication: publication,
            order: order,
            effects: effects,
            reducer: reducer
        )
        store = machine.store
        machine.begin()
    }

    /// Creates a view model and begins its loop, with a function that returns the next state. The other parameters are
    /// those of the first initialiser.
    @inlinable
    public init(
        initial: State,
        feedbacks: [Feedback<State, Event>],
        scheduler: StoreEngine = .thread(),
        publication: Publication = .batch,
        order: ActionOrder = .fifo,
        effects: EffectOptions = EffectOptions(),
        reducer: @escaping @Sendable (State, Event) -> State
    ) {
        machine = .make(
            initial: initial,
            feedbacks: feedbacks,
            engine: scheduler,
            publication: publication,
            order: order,
            effects: effects,
            reducer: .reduce { event, state in state = reducer(state, event) }
        )
        store = machine.store
        machine.begin()
    }

    /// The states, for `for await`: the current one first, then the latest of those published. `store.states(_:)` has
    /// other policies for slow loops. The sequence does not keep the view model.
    public final var state: StateSequence<State> { store.states }

    /// The state published last.
    public final var currentState: State { store.state }

    /// A publisher of the states, the current one first: with `MillraceCombine` a publisher of Combine.
    public final var statePublisher: UnfailablePublisherType<State> { store.statePublisher }

    /// Puts an event at the tail of the queue.
    @inlinable
    public final func send(event: Event) {
        store.dispatch(.event(event))
    }

    /// Puts a change of one member at the tail of the queue. The reducer does not handle the change. The feedbacks see
    /// the state after it.
    public final func mutate<Value: Sendable>(keyPath: any WritableKeyPath<State, Value> & Sendable, value: Value) {
        store.dispatch(.mutation { state in state[keyPath: keyPath] = value })
    }

    /// Puts an event with its source at the tail of the queue.
    @_disfavoredOverload
    @inlinable
    public final func dispatch(_ dispatchedAction: sending DispatchedAction<Event>) {
        store.dispatch(dispatchedAction.map { .event($0) })
    }

    /// Waits until all events sent before have been reduced, and their state is published.
    public final func drain() async {
        await store.drain()
    }
}
