// SPDX-License-Identifier: Apache-2.0

/// Values in, values out: whoever holds it may publish. It keeps none; ``ReplayLastSubjectType`` keeps the last.
///
/// ```swift
/// let ticks = UnfailableSubject<Int>.native()
/// let subscription = ticks.publisher.subscribe(UnfailableSubscriberType(onValue: { print($0) }))
/// ticks.subscriber.onValue(1)
/// ```
public struct SubjectType<Element, ErrorType: Error>: Sendable {
    /// Where the values come out.
    public let publisher: PublisherType<Element, ErrorType>
    /// Where the values go in.
    public let subscriber: SubscriberType<Element, ErrorType>

    /// A subject of two ends that belong together.
    @inlinable
    public init(publisher: PublisherType<Element, ErrorType>, subscriber: SubscriberType<Element, ErrorType>) {
        self.publisher = publisher
        self.subscriber = subscriber
    }
}
