// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

#if canImport(Combine)
    public import Combine
#else
    @preconcurrency public import OpenCombine
#endif

/// Every subscriber of Millrace is a subscriber of Combine, with unlimited demand.
extension SubscriberType: Subscriber {
    /// The type of the values.
    public typealias Input = Element
    /// The type of the errors.
    public typealias Failure = ErrorType

    /// Returns a new identifier at each call, because a value has no identity.
    public var combineIdentifier: CombineIdentifier { CombineIdentifier() }

    /// Passes the subscription on, and requests all values.
    public func receive(subscription: any Subscription) {
        onSubscribe(subscription.asSubscriptionType())
        subscription.request(.unlimited)
    }

    /// Passes a value on.
    public func receive(_ input: Element) -> Subscribers.Demand {
        onValue(input)
        return .none
    }

    /// Passes the completion on.
    public func receive(completion: Subscribers.Completion<ErrorType>) {
        switch completion {
        case .finished: onCompleted(nil)
        case .failure(let error): onCompleted(error)
        }
    }
}

extension SubscriberType {
    /// Creates a subscriber that passes on to a subject of Combine.
    public static func combine<S: Subject>(subject: S) -> SubscriberType
    where S.Output == Element, S.Failure == ErrorType {
        // Unchecked: subjects are meant to be shared.
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

    /// Creates a subscriber that passes on to a subscriber of Combine.
    public static func combine<S: Subscriber>(subscriber: S) -> SubscriberType
    where S.Input == Element, S.Failure == ErrorType {
        subscriber.asSubscriberType()
    }

    /// Creates a subscriber from closures. A closure that is left out does nothing.
    @preconcurrency
    public static func combine(
        onValue: (@Sendable (Element) -> Void)? = nil,
        onCompleted: (@Sendable (ErrorType?) -> Void)? = nil
    ) -> SubscriberType {
        SubscriberType(onValue: onValue, onCompleted: onCompleted)
    }
}

extension Subscriber {
    /// Returns this subscriber as a subscriber of Millrace, or itself if it is one already. Use the result for one
    /// subscription only.
    ///
    /// Values that this subscriber has not requested wait, without a limit, until it requests them.
    public func asSubscriberType() -> SubscriberType<Input, Failure> {
        if let subscriber = self as? SubscriberType<Input, Failure> { return subscriber }
        let subscription = DemandBuffer(self)
        let introduction = Introduction(self, subscription)
        let buffer: DemandInput<Input, Failure> = subscription
        let introduce = Unchecked { introduction.make() }  // Guarded by its lock.
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
                let subscription = Unchecked(subscription)  // Any thread may end a subscription.
                buffer.onCancel { subscription.value.unsubscribe() }
                introduce.value()
            }
        )
    }
}

/// Gives a subscriber its subscription before anything else, even if the publisher does not.
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
