// SPDX-License-Identifier: Apache-2.0

public import MillraceCore
public import Synchronization

/// Starts and ends the feedbacks of one loop.
@usableFromInline
final class FeedbackStart<State: Sendable, Event: Sendable>: Sendable {
    private struct Bound: Sendable {
        /// Only the feedbacks keep it, so that the effects also end when the store is released.
        weak let effects: LatestEffects<FeedbackInput<State, Event>>?
        /// Shows the initial state.
        var first: (@Sendable () -> Void)?
    }

    @usableFromInline let over = Atomic<Bool>(false)
    @usableFromInline let parts: [Feedback<State, Event>.Part]
    private let options: EffectOptions
    private let bound = Locked<Bound?>(nil)

    @usableFromInline
    init(_ feedbacks: [Feedback<State, Event>], _ options: EffectOptions) {
        parts = feedbacks.flatMap(\.parts)
        self.options = options
    }

    /// Whether the loop has ended. Relaxed: it guards no other memory, and a feedback may see the change late.
    @inlinable var isOver: Bool { over.load(ordering: .relaxed) }

    /// Makes the places of the effects, one for each feedback. Called once, when the store binds the middleware.
    @usableFromInline
    func makeLanes(_ services: BindingServices) -> [FeedbackLane<State, Event>] {
        let effects = LatestEffects<FeedbackInput<State, Event>>(options, services)
        bound.withLock { $0 = Bound(effects: effects) }
        return parts.indices.map { FeedbackLane(effects.lane(named: "feedback \($0 + 1)")) }
    }

    /// Called once, when the feedbacks are connected.
    @usableFromInline
    func bind(
        _ binding: MiddlewareBinding<FeedbackInput<State, Event>, State>,
        _ see: @escaping FeedbackWatch<State, Event>.See
    ) {
        guard let output = binding.makeOutput?() else { return }
        let state = binding.state
        // Unchecked: called on the pipeline's thread only, as everything here.
        let first = Unchecked { state.withState { state in see(copy state, output) } }
        bound.withLock { $0?.first = { first.value() } }
    }

    /// Shows the initial state to the feedbacks. On the pipeline's thread, before the first event.
    func first() {
        let first = bound.withLock { $0?.first.take() }
        if !isOver { first?() }
    }

    /// Cancels all effects, and lets no feedback begin another one. Any thread.
    func end() {
        over.store(true, ordering: .relaxed)  // as above
        let last = bound.withLock { $0.take() }
        last?.effects?.cancelAll()
    }
}
