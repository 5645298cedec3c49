// SPDX-License-Identifier: Apache-2.0

import MillraceCore

#if canImport(Combine)
    import Combine
#else
    @preconcurrency import OpenCombine
#endif

/// A subscriber of Millrace as Combine sees it, which asks for everything; and the subscription of that subscriber.
final class SubscriberBridge<Input, Failure: Error>: Subscriber, SubscriptionType, @unchecked Sendable {
    // Unchecked because everything that changes is touched only while `lock` is held.
    private let lock = Lock()
    private var upstream: (any Subscription)?
    /// Nil once it is over.
    private var subscriber: SubscriberType<Input, Failure>?

    init(_ subscriber: SubscriberType<Input, Failure>) {
        self.subscriber = subscriber
    }

    func receive(subscription: any Subscription) {
        lock.lock()
        let isFirst = subscriber != nil && upstream == nil
        if isFirst { upstream = subscription }
        let subscriber = subscriber
        lock.unlock()
        guard isFirst else { return subscription.cancel() }
        subscriber?.onSubscribe(self)
        subscription.request(.unlimited)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        current?.onValue(input)
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        let subscriber = end().subscriber
        switch completion {
        case .finished: subscriber?.onCompleted(nil)
        case .failure(let error): subscriber?.onCompleted(error)
        }
    }

    func unsubscribe() {
        end().upstream?.cancel()
    }

    private var current: SubscriberType<Input, Failure>? {
        lock.lock()
        defer { lock.unlock() }
        return subscriber
    }

    /// What there was is let go by the caller, after the lock: it may hold anything.
    private func end() -> (subscriber: SubscriberType<Input, Failure>?, upstream: (any Subscription)?) {
        lock.lock()
        defer { lock.unlock() }
        defer { (subscriber, upstream) = (nil, nil) }
        return (subscriber, upstream)
    }
}
