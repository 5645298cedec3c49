// SPDX-License-Identifier: Apache-2.0

/// Who listens to a ``PublisherType``: three closures, whatever reactive library is behind them.
///
/// ```swift
/// let printer = UnfailableSubscriberType<AppState>(onValue: { print($0) })
/// let subscription = store.statePublisher.subscribe(printer)
/// ```
///
/// There is no demand: a subscriber is given all there is. The publisher decides which thread calls it.
public struct SubscriberType<Element, ErrorType: Error>: Sendable {
    /// Is given each value.
    public let onValue: @Sendable (Element) -> Void
    /// Is told once that no value will come any more: nil for a good end, the error for a bad one.
    public let onCompleted: @Sendable (ErrorType?) -> Void
    /// Is given the subscription before the first value.
    public let onSubscribe: @Sendable (any SubscriptionType) -> Void

    /// A subscriber; what is left out does nothing.
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

    /// The same for publishers that cannot fail: their end is a good one.
    @inlinable
    public func assertNoFailure() -> SubscriberType<Element, Never> {
        SubscriberType<Element, Never>(
            onValue: onValue,
            onCompleted: { [onCompleted] _ in onCompleted(nil) },
            onSubscribe: onSubscribe
        )
    }
}
