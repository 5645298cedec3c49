// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension ReduxStoreBase {
    /// Gives each subscriber the current state, then every state that is published and that `emitsValue` lets pass.
    ///
    /// ```swift
    /// let subscription = store.statePublisher.subscribe(UnfailableSubscriberType(onValue: { print($0) }))
    /// subscription.unsubscribe()
    /// ```
    ///
    /// As ``subscribe(_:)``, with its threads, order and end: the current state comes when the subscription's turn in
    /// the queue has come, with ``StoreEngine/caller`` (and ``StoreEngine/main`` on the main queue) before `subscribe`
    /// returns. It never completes. A subscriber keeps neither the store nor its pipeline alive.
    ///
    /// Of a store made with a subject it is the subject's publisher, and what that one says of threads and subscriptions
    /// holds; states that others push are told, too.
    public final var statePublisher: UnfailablePublisherType<StateType> { core.statePublisher }

    /// The pipeline of this store, for code that wants SwiftRex's type. Whoever keeps it keeps the store.
    public final var pipeline: ReduxPipelineWrapper<AnyMiddleware<ActionType, ActionType, StateType>> {
        ReduxPipelineWrapper(core: core, owner: self)
    }
}

extension StoreCore {
    var statePublisher: UnfailablePublisherType<State> {
        guard let subjectState else {
            return UnfailablePublisherType { subscriber in
                let subscription = self.makeSubscription()
                subscriber.onSubscribe(subscription)
                self.start(subscription, subscriber.onValue)
                return subscription
            }
        }
        let publisher = subjectState.subject.publisher
        guard subjectState.pushesSilently else { return publisher }
        // Not the state nor its cell: they keep the subject, which keeps its subscribers.
        let suppressor = subjectState.suppressor
        return UnfailablePublisherType { subscriber in
            publisher.subscribe(
                UnfailableSubscriberType(
                    onValue: { if !suppressor.isKeptHere { subscriber.onValue($0) } },
                    onCompleted: subscriber.onCompleted,
                    onSubscribe: subscriber.onSubscribe
                )
            )
        }
    }
}
