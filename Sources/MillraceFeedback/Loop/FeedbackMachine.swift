// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// One run of a feedback loop: its store, and the start of its feedbacks. Releasing it ends the feedbacks.
@usableFromInline
final class FeedbackMachine<State: Sendable, Event: Sendable>: Sendable {
    @usableFromInline let store: ReduxStoreBase<FeedbackInput<State, Event>, State>
    private let start: FeedbackStart<State, Event>

    @usableFromInline
    init(_ store: ReduxStoreBase<FeedbackInput<State, Event>, State>, _ start: FeedbackStart<State, Event>) {
        self.store = store
        self.start = start
    }

    deinit {
        start.end()
    }

    /// Shows the initial state to the feedbacks. Called once, after the first subscription.
    @usableFromInline
    func begin() {
        let start = start
        store.perform { start.first() }
    }

    /// Ends the feedbacks: cancels their effects, and begins no others.
    func end() {
        start.end()
    }

    /// Makes a machine that has not begun. Inlinable, so that the pipeline is compiled for the state and the reducer.
    @inlinable
    static func make(
        initial: State,
        feedbacks: [Feedback<State, Event>],
        engine: StoreEngine,
        publication: Publication,
        order: ActionOrder = .fifo,
        effects: EffectOptions,
        reducer: Reducer<Event, State>
    ) -> FeedbackMachine {
        let start = FeedbackStart(feedbacks, effects)
        let reduce = reducer.reduce
        let store = ReduxStoreBase(
            initialState: initial,
            reducer: Reducer<FeedbackInput<State, Event>, State>.reduce { input, state in
                switch input {
                case .event(let event): reduce(event, &state)
                case .mutation(let mutate): mutate(&state)
                }
            },
            middleware: FeedbackMiddleware(start),
            engine: engine,
            publication: publication,
            order: order
        )
        return FeedbackMachine(store, start)
    }
}
