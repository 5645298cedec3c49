// SPDX-License-Identifier: Apache-2.0

public import CMillrace

extension StoreCore {
    /// Puts a subscriber in at its place in the order of actions. Never called when the pipeline has ended.
    func subscribe(_ body: @escaping @Sendable (State) -> Void) -> StateSubscription {
        let subscription = makeSubscription()
        start(subscription, body)
        return subscription
    }

    /// A subscription that `start` is still to put in; it may be ended before.
    func makeSubscription() -> StateSubscription {
        StateSubscription { [weak self] subscription in
            _ = self?.send { self?.remove(subscription) }
        }
    }

    func start(_ subscription: StateSubscription, _ body: @escaping @Sendable (State) -> Void) {
        let subscriber = Subscriber(subscription, body)
        _ = send { [self] in
            consumer.publishIfDirty()
            // After the publication: who is told of it may have ended this subscription.
            guard !subscription.isCancelled else { return }
            subscription.place = subscribers.append(subscriber)
            subscriber.tell(cell.read())
        }
    }

    /// On the pipeline's thread. Nothing happens if it was never put in.
    private func remove(_ subscription: StateSubscription) {
        guard let place = subscription.place.take() else { return }
        // Destroyed after the list was changed: what a subscriber holds may be anything.
        _ = subscribers.remove(place)
    }

    /// Tells the subscribers of a state; those that go meanwhile are not told any more.
    @inlinable
    func tellSubscribers(_ state: State) {
        // Inside an action it is that action's; between two it is told apart, so that a stuck subscriber has a name.
        let isBetween = millrace_stage_is(cell.stage, 0)
        if isBetween { millrace_stage_between(cell.stage, Stage.notifying) }
        for entry in subscribers.entries {
            entry.element?.tell(state)
        }
        if isBetween { millrace_stage_between(cell.stage, 0) }
    }

    /// The same for a part of the state, told when it changes.
    func subscribe<Value>(
        select: @escaping @Sendable (State) -> Value,
        removeDuplicates isDuplicate: @escaping (Value, Value) -> Bool,
        _ body: @escaping @Sendable (Value) -> Void
    ) -> StateSubscription {
        let selection = Selection(select, isDuplicate, body)
        return subscribe { selection.tell($0) }
    }
}

/// A subscriber to a part of the state, and what it was told last.
private final class Selection<State, Value>: @unchecked Sendable {
    // Unchecked because `last` belongs to the pipeline and passes with its role, as `StoreCore.subscribers` does; the
    // closures are called there only.
    private let select: (State) -> Value
    private let isDuplicate: (Value, Value) -> Bool
    private let body: (Value) -> Void
    private var last: Value?

    init(
        _ select: @escaping (State) -> Value,
        _ isDuplicate: @escaping (Value, Value) -> Bool,
        _ body: @escaping (Value) -> Void
    ) {
        self.select = select
        self.isDuplicate = isDuplicate
        self.body = body
    }

    func tell(_ state: State) {
        let value = select(state)
        if let last, isDuplicate(last, value) { return }
        last = value
        body(value)
    }
}
