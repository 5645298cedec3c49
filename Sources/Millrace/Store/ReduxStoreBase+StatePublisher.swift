// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension ReduxStoreBase {
    /// A publisher that gives each subscriber the current state, then every published state that `emitsValue` lets
    /// through.
    ///
    /// ```swift
    /// let subscription = store.statePublisher.subscribe(UnfailableSubscriberType(onValue: { print($0) }))
    /// subscription.unsubscribe()
    /// ```
    ///
    /// Threads, order and end are those of ``subscribe(_:)``. The current state comes when the pipeline reaches the
    /// subscription in the queue: with ``StoreEngine/caller``, and with ``StoreEngine/main`` on the main queue, before
    /// `subscribe` returns. The publisher never completes. A subscriber keeps neither the store nor its pipeline alive.
    ///
    /// For a store made with a subject this is the subject's publisher, and the subject defines threads and
    /// subscriptions. Its subscribers are also called with states that other code pushes into the subject.
    public final var statePublisher: UnfailablePublisherType<StateType> { core.statePublisher }

    /// The pipeline of this store, for code that needs SwiftRex's type. The wrapper keeps the store alive.
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
        // Captures only the suppressor: the state and its cell keep the subject alive, and the subject its subscribers.
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
