// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if MILLRACE_PLANTED
    public import MillraceCore
#endif

extension StoreCore {
    /// Adds a subscriber at its place in the order of actions. If the pipeline has ended, the closure is never called.
    func subscribe(_ body: @escaping @Sendable (State) -> Void) -> StateSubscription {
        let subscription = makeSubscription()
        start(subscription, body)
        return subscription
    }

    /// Returns a subscription that `start` adds to the store later. It may be ended before that.
    func makeSubscription() -> StateSubscription {
        StateSubscription { [weak self] subscription in
            _ = self?.send { self?.remove(subscription) }
        }
    }

    func start(_ subscription: StateSubscription, _ body: @escaping @Sendable (State) -> Void) {
        let subscriber = Subscriber(subscription, body)
        _ = send { [self] in
            consumer.publishIfDirty()
            // Checked after the publication: a subscriber called by it may have ended this subscription.
            guard !subscription.isCancelled else { return }
            subscription.place = subscribers.append(subscriber)
            noteSubscribers()
            subscriber.tell(shownState)
        }
    }

    /// The state that others see. On the pipeline's thread, where a read returns the live state.
    private var shownState: State {
        guard consumer.journal?.hides(consumer.counters.pointee.reduced) == true else { return cell.read() }
        return cell.readPublished()
    }

    /// Removes a subscriber. On the pipeline's thread. Does nothing if the subscriber was never added.
    private func remove(_ subscription: StateSubscription) {
        guard let place = subscription.place.take() else { return }
        // The subscriber is destroyed after the list was changed, because its destruction may run any code.
        _ = subscribers.remove(place)
        noteSubscribers()
    }

    /// A lazy store publishes by itself while it has subscribers.
    private func noteSubscribers() {
        // Relaxed: only the pipeline acts on this bit.
        if subscribers.isEmpty {
            consumer.shared.needsPublication.bitwiseAnd(~PublishedCounters.subscribersNeedIt, ordering: .relaxed)
        } else {
            consumer.shared.needsPublication.bitwiseOr(PublishedCounters.subscribersNeedIt, ordering: .relaxed)
        }
    }

    /// Calls the subscribers with a state, except subscribers that are removed meanwhile.
    @inlinable
    func tellSubscribers(_ state: State) {
        // Inside an action this belongs to the action's stage. Between two actions it has a stage of its own, so that a
        // stuck subscriber is reported.
        let isBetween = cell.stage.isIn(0)
        if isBetween { cell.stage.between(Stage.notifying) }
        #if MILLRACE_PLANTED
            if Planted.has(.cancelledStillTold) { tellChosen(state) }
        #endif
        for entry in subscribers.entries {
            #if MILLRACE_PLANTED
                if Planted.has(.cancelledStillTold) { break }
            #endif
            entry.element?.tell(state)
        }
        if isBetween { cell.stage.between(0) }
    }

    #if MILLRACE_PLANTED
        @usableFromInline
        func tellChosen(_ state: State) {
            let chosen = subscribers.entries.compactMap(\.element).filter { !$0.subscription.isCancelled }
            for subscriber in chosen { subscriber.tellInAnyCase(state) }
        }
    #endif

    /// Adds a subscriber to a part of the state, which is called when that part changes.
    func subscribe<Value>(
        select: @escaping @Sendable (State) -> Value,
        removeDuplicates isDuplicate: @escaping (Value, Value) -> Bool,
        _ body: @escaping @Sendable (Value) -> Void
    ) -> StateSubscription {
        let selection = Selection(select, isDuplicate, body)
        return subscribe { selection.tell($0) }
    }
}

/// A subscriber to a part of the state, and the value that it was called with last.
private final class Selection<State, Value>: @unchecked Sendable {
    // Unchecked because only the consumer touches `last` and calls the closures, as with `StoreCore.subscribers`; the
    // consumer role orders the accesses of different threads.
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
