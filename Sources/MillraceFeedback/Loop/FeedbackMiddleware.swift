// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// Shows each state to the feedbacks of a loop, after the reducer and after the subscribers.
///
/// It is copied once for each batch of events, so rarely used data is in ``FeedbackStart``.
@usableFromInline
struct FeedbackMiddleware<State: Sendable, Event: Sendable>: MiddlewareProtocol {
    @usableFromInline typealias InputActionType = FeedbackInput<State, Event>
    @usableFromInline typealias OutputActionType = FeedbackInput<State, Event>
    @usableFromInline typealias StateType = State
    @usableFromInline typealias Watch = FeedbackWatch<State, Event>

    @usableFromInline let start: FeedbackStart<State, Event>
    @usableFromInline var see: Watch.See
    @usableFromInline var hear: Watch.Hear?
    @usableFromInline var live: UnsafePointer<State>?
    /// Whether any feedback watches.
    @usableFromInline var hasAfterReduce = false

    @inlinable
    init(_ start: FeedbackStart<State, Event>) {
        self.start = start
        see = { _, _ in }
    }

    /// Does nothing: feedbacks watch the states after the reducer.
    @inlinable
    func handle(
        action: FeedbackInput<State, Event>,
        from dispatcher: ActionSource,
        state: @escaping GetState<State>
    ) -> IO<FeedbackInput<State, Event>> {
        .pure()
    }

    /// Shows the feedbacks the event and the state.
    @inlinable
    func afterReduce(
        action: FeedbackInput<State, Event>,
        from dispatcher: ActionSource,
        state: @escaping GetState<State>,
        output: AnyActionHandler<FeedbackInput<State, Event>>
    ) {
        if start.isOver { return }
        if let hear, case .event(let event) = action { hear(event, output) }
        if let live { Borrowed.at(live) { see($0, output) } } else { see(state(), output) }
    }

    /// Connects the feedbacks, in order. Inlinable, so that their closures are compiled for the state.
    @inlinable
    mutating func bind(_ binding: MiddlewareBinding<FeedbackInput<State, Event>, State>) {
        live = binding.state.source.live
        let lanes = start.makeLanes(binding.services)
        guard let watch = FeedbackWatch.all(zip(start.parts, lanes).map { part, lane in part(lane) }) else { return }
        see = watch.see
        hear = watch.hear
        hasAfterReduce = true
        start.bind(binding, watch.see)
    }
}
