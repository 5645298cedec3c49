// SPDX-License-Identifier: Apache-2.0

/// A subject that always has a value and gives it first to each new subscriber.
///
/// ```swift
/// let subject = UnfailableReplayLastSubjectType.native(initialValue: AppState())
/// subject.mutate { $0.count += 1 }
/// print(subject.value().count)
/// ```
///
/// A store that is created with such a subject keeps its state there:
/// `ReduxStoreBase(subject:reducer:middleware:emitsValue:)`.
public struct ReplayLastSubjectType<Element, ErrorType: Error>: Sendable {
    /// The publisher of the values.
    public let publisher: PublisherType<Element, ErrorType>
    /// The subscriber that receives the pushed values.
    public let subscriber: SubscriberType<Element, ErrorType>
    /// Reads the latest value.
    public var value: @Sendable () -> Element
    /// Changes the latest value in place, without a copy, and notifies the subscribers if the closure returns true.
    ///
    /// It calls its argument once before it returns. Meanwhile no other code may read or write the value. Nil if the
    /// library behind this subject cannot change a value in place.
    public let mutateInPlace: (@Sendable ((inout Element) -> Bool) -> Void)?

    /// Creates a subject whose value can only be replaced.
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

    /// Creates a subject whose value can also be changed in place.
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

    /// Changes the value and notifies the subscribers.
    ///
    /// If the subject has ``mutateInPlace``, the change is made in place and in one step. Then nothing is copied, and
    /// the closure must not use the subject. Otherwise a copy is changed and pushed. If two threads do so at the same
    /// time, one of the changes is lost.
    @inlinable
    @discardableResult
    public func mutate<Result>(_ action: (inout Element) -> Result) -> Result {
        change { value, isChanged in
            isChanged = true
            return action(&value)
        }
    }

    /// Changes a copy of the value; keeps it and notifies the subscribers only if `condition` accepts the closure's
    /// result.
    ///
    /// The result is returned in both cases. The change is one step if the subject supports it; see ``mutate(_:)``.
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
