// SPDX-License-Identifier: Apache-2.0

/// A publisher with its input, to which any holder may push values. The subject stores no value;
/// ``ReplayLastSubjectType`` stores the last one.
///
/// ```swift
/// let ticks = UnfailableSubject<Int>.native()
/// let subscription = ticks.publisher.subscribe(UnfailableSubscriberType(onValue: { print($0) }))
/// ticks.subscriber.onValue(1)
/// ```
public struct SubjectType<Element, ErrorType: Error>: Sendable {
    /// The publisher of the values.
    public let publisher: PublisherType<Element, ErrorType>
    /// The subscriber that receives the pushed values.
    public let subscriber: SubscriberType<Element, ErrorType>

    /// Creates a subject from a publisher and the subscriber that feeds it.
    @inlinable
    public init(publisher: PublisherType<Element, ErrorType>, subscriber: SubscriberType<Element, ErrorType>) {
        self.publisher = publisher
        self.subscriber = subscriber
    }
}
