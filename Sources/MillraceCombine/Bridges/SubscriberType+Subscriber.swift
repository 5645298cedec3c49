// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

#if canImport(Combine)
    public import Combine
#else
    @preconcurrency public import OpenCombine
#endif

/// Every subscriber of Millrace is one of Combine, which asks for everything.
extension SubscriberType: Subscriber {
    /// Its values.
    public typealias Input = Element
    /// Its errors.
    public typealias Failure = ErrorType

    /// Another one at each call: a value has no identity.
    public var combineIdentifier: CombineIdentifier { CombineIdentifier() }

    /// Passes the subscription on, and asks for everything.
    public func receive(subscription: any Subscription) {
        onSubscribe(subscription.asSubscriptionType())
        subscription.request(.unlimited)
    }

    /// Passes a value on.
    public func receive(_ input: Element) -> Subscribers.Demand {
        onValue(input)
        return .none
    }

    /// Passes the end on.
    public func receive(completion: Subscribers.Completion<ErrorType>) {
        switch completion {
        case .finished: onCompleted(nil)
        case .failure(let error): onCompleted(error)
        }
    }
}

extension SubscriberType {
    /// A subscriber that passes on to a subject.
    public static func combine<S: Subject>(subject: S) -> SubscriberType
    where S.Output == Element, S.Failure == ErrorType {
        // Unchecked: a subject is made to be shared.
        let onValue = Unchecked<(Element) -> Void> { subject.send($0) }
        let onCompleted = Unchecked<(ErrorType?) -> Void> { error in
            subject.send(completion: error.map { .failure($0) } ?? .finished)
        }
        let onSubscribe = Unchecked<(any SubscriptionType) -> Void> { subject.send(subscription: $0.asCancellable()) }
        return SubscriberType(
            onValue: { onValue.value($0) },
            onCompleted: { onCompleted.value($0) },
            onSubscribe: { onSubscribe.value($0) }
        )
    }

    /// A subscriber that passes on to one of Combine.
    public static func combine<S: Subscriber>(subscriber: S) -> SubscriberType
    where S.Input == Element, S.Failure == ErrorType {
        subscriber.asSubscriberType()
    }

    /// A subscriber made of closures; what is left out does nothing.
    @preconcurrency
    public static func combine(
        onValue: (@Sendable (Element) -> Void)? = nil,
        onCompleted: (@Sendable (ErrorType?) -> Void)? = nil
    ) -> SubscriberType {
        SubscriberType(onValue: onValue, onCompleted: onCompleted)
    }
}

extension Subscriber {
    /// The same subscriber as Millrace knows them; one that is one already is returned. Good for one subscription.
    ///
    /// What it has not asked for waits, without a bound, until it asks.
    public func asSubscriberType() -> SubscriberType<Input, Failure> {
        if let subscriber = self as? SubscriberType<Input, Failure> { return subscriber }
        let subscription = DemandBuffer(self)
        let introduction = Introduction(self, subscription)
        let buffer: DemandInput<Input, Failure> = subscription
        let introduce = Unchecked { introduction.make() }  // It has a lock.
        return SubscriberType(
            onValue: { value in
                introduce.value()
                buffer.push(value)
            },
            onCompleted: { error in
                introduce.value()
                buffer.finish(error.map { .failure($0) } ?? .finished)
            },
            onSubscribe: { subscription in
                let subscription = Unchecked(subscription)  // A subscription may be ended on any thread.
                buffer.onCancel { subscription.value.unsubscribe() }
                introduce.value()
            }
        )
    }
}

/// Gives a subscriber its subscription before anything else, also where the publisher does not.
private final class Introduction<Downstream: Subscriber>: @unchecked Sendable {
    // Unchecked because `downstream` is touched only while `lock` is held.
    private let lock = Lock()
    private var downstream: Downstream?
    private let subscription: DemandBuffer<Downstream>

    init(_ downstream: Downstream, _ subscription: DemandBuffer<Downstream>) {
        self.downstream = downstream
        self.subscription = subscription
    }

    func make() {
        lock.lock()
        let downstream = downstream
        self.downstream = nil
        lock.unlock()
        downstream?.receive(subscription: subscription)
    }
}
