// SPDX-License-Identifier: Apache-2.0

/// A receiver of the values of a ``PublisherType``: three closures, which can wrap any reactive library.
///
/// ```swift
/// let printer = UnfailableSubscriberType<AppState>(onValue: { print($0) })
/// let subscription = store.statePublisher.subscribe(printer)
/// ```
///
/// There is no demand: a subscriber receives all values. The publisher decides which thread calls the subscriber.
public struct SubscriberType<Element, ErrorType: Error>: Sendable {
    /// Called with each value.
    public let onValue: @Sendable (Element) -> Void
    /// Called once after the last value: with nil for a normal end, with the error for a failure.
    public let onCompleted: @Sendable (ErrorType?) -> Void
    /// Called with the subscription, before the first value.
    public let onSubscribe: @Sendable (any SubscriptionType) -> Void

    /// Creates a subscriber; an omitted closure does nothing.
    @preconcurrency
    @inlinable
    public init(
        onValue: (@Sendable (Element) -> Void)? = nil,
        onCompleted: (@Sendable (ErrorType?) -> Void)? = nil,
        onSubscribe: (@Sendable (any SubscriptionType) -> Void)? = nil
    ) {
        self.onValue = onValue ?? { _ in }
        self.onCompleted = onCompleted ?? { _ in }
        self.onSubscribe = onSubscribe ?? { _ in }
    }

    /// Returns this subscriber for publishers that cannot fail; they always end normally.
    @inlinable
    public func assertNoFailure() -> SubscriberType<Element, Never> {
        SubscriberType<Element, Never>(
            onValue: onValue,
            onCompleted: { [onCompleted] _ in onCompleted(nil) },
            onSubscribe: onSubscribe
        )
    }
}
