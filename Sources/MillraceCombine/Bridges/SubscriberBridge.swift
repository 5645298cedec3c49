// SPDX-License-Identifier: Apache-2.0

import MillraceCore

#if canImport(Combine)
    import Combine
#else
    @preconcurrency import OpenCombine
#endif

/// A subscriber of Combine, with unlimited demand, that passes on to a subscriber of Millrace. It is also the
/// subscription of the latter.
final class SubscriberBridge<Input, Failure: Error>: Subscriber, SubscriptionType, @unchecked Sendable {
    // Unchecked because all variables are touched only while `lock` is held.
    private let lock = Lock()
    private var upstream: (any Subscription)?
    /// Nil after the end.
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

    /// Ends the subscription. The caller releases the returned objects after the lock, because they may own objects
    /// whose `deinit` runs foreign code.
    private func end() -> (subscriber: SubscriberType<Input, Failure>?, upstream: (any Subscription)?) {
        lock.lock()
        defer { lock.unlock() }
        defer { (subscriber, upstream) = (nil, nil) }
        return (subscriber, upstream)
    }
}
