// SPDX-License-Identifier: Apache-2.0

/// A subject that has a value at any time, which it gives to new subscribers first.
///
/// ```swift
/// let subject = UnfailableReplayLastSubjectType.native(initialValue: AppState())
/// subject.mutate { $0.count += 1 }
/// print(subject.value().count)
/// ```
///
/// A store made with one keeps its state there: `ReduxStoreBase(subject:reducer:middleware:emitsValue:)`.
public struct ReplayLastSubjectType<Element, ErrorType: Error>: Sendable {
    /// Where the values come out.
    public let publisher: PublisherType<Element, ErrorType>
    /// Where the values go in.
    public let subscriber: SubscriberType<Element, ErrorType>
    /// Reads the latest value.
    public var value: @Sendable () -> Element
    /// Changes the latest value where it is, without a copy, and tells the subscribers if the closure returned true.
    ///
    /// It calls its argument once, before it returns, and lets nobody else read or write the value meanwhile. Nil: the
    /// library behind this subject has no such thing.
    public let mutateInPlace: (@Sendable ((inout Element) -> Bool) -> Void)?

    /// A subject whose value can only be replaced.
    @preconcurrency
    @inlinable
    public init(
        publisher: PublisherType<Element, ErrorType>,
        subscriber: SubscriberType<Element, ErrorType>,
        value: @escaping @Sendable () -> Element
    ) {
        self.publisher = publisher
        self.subscriber = subscriber
        self.value = value
        mutateInPlace = nil
    }

    /// A subject whose value can also be changed in place.
    @preconcurrency
    @inlinable
    public init(
        publisher: PublisherType<Element, ErrorType>,
        subscriber: SubscriberType<Element, ErrorType>,
        value: @escaping @Sendable () -> Element,
        mutateInPlace: @escaping @Sendable ((inout Element) -> Bool) -> Void
    ) {
        self.publisher = publisher
        self.subscriber = subscriber
        self.value = value
        self.mutateInPlace = mutateInPlace
    }

    /// Changes the value and tells the subscribers.
    ///
    /// In place and in one step where the subject can do that (``mutateInPlace``): then nothing is copied, and the
    /// closure must not use the subject. Otherwise a copy is changed and pushed: two threads that do so at a time lose
    /// one of the changes.
    @inlinable
    @discardableResult
    public func mutate<Result>(_ action: (inout Element) -> Result) -> Result {
        change { value, isChanged in
            isChanged = true
            return action(&value)
        }
    }

    /// Changes a copy of the value, and keeps it and tells the subscribers only if the closure's result is as wanted.
    ///
    /// The result is returned in both cases. In one step where the subject can do that; see ``mutate(_:)``.
    @inlinable
    @discardableResult
    public func mutate<Result>(when condition: @escaping (Result) -> Bool, action: (inout Element) -> Result) -> Result
    {
        change { value, isChanged in
            var changed = value
            let result = action(&changed)
            isChanged = condition(result)
            if isChanged { value = changed }
            return result
        }
    }

    @inlinable
    func change<Result>(_ body: (inout Element, _ isChanged: inout Bool) -> Result) -> Result {
        var isChanged = false
        guard let mutateInPlace else {
            var copy = value()
            let result = body(&copy, &isChanged)
            if isChanged { subscriber.onValue(copy) }
            return result
        }
        var result: Result?
        mutateInPlace { value in
            result = body(&value, &isChanged)
            return isChanged
        }
        guard let result else { preconditionFailure("`mutateInPlace` of a subject did not call its argument") }
        return result
    }
}
