// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

#if canImport(Combine)
    public import Combine
#else
    @preconcurrency public import OpenCombine
#endif

extension SubjectType {
    /// A subject of Combine as Millrace knows them.
    ///
    /// OpenCombine's subjects hold a lock of the subscription while they call its subscriber: one that waits there for
    /// another thread which pushes waits for ever. `combine()` holds none.
    public init(passthroughSubject subject: PassthroughSubject<Element, ErrorType>) {
        self.init(publisher: subject.asPublisherType(), subscriber: .combine(subject: subject))
    }

    /// A subject whose publisher is one of Combine's, as all of Millrace's are: `native()`.
    public static func combine() -> SubjectType {
        .native()
    }
}

extension PassthroughSubject {
    /// Its input.
    public func asSubscriberType() -> SubscriberType<Output, Failure> {
        .combine(subject: self)
    }
}

extension ReplayLastSubjectType {
    /// A subject of Combine that has a value, as Millrace knows them.
    ///
    /// A state kept in it is copied where it is changed. OpenCombine's subjects hold a lock of the subscription while
    /// they call its subscriber: one that waits there for another thread which pushes waits for ever.
    /// `combine(initialValue:willChange:)` holds none.
    ///
    /// - Parameter willChange: Is called with a new value just before it is stored and published.
    @preconcurrency
    public init(
        currentValueSubject subject: CurrentValueSubject<Element, ErrorType>,
        willChange: (@Sendable (Element) -> Void)? = nil
    ) {
        let input = SubscriberType<Element, ErrorType>.combine(subject: subject)
        let shared = Unchecked(subject)  // A subject is made to be shared.
        self.init(
            publisher: subject.asPublisherType(),
            subscriber: SubscriberType(
                onValue: { value in
                    willChange?(value)
                    input.onValue(value)
                },
                onCompleted: input.onCompleted,
                onSubscribe: input.onSubscribe
            ),
            value: { shared.value.value }
        )
    }

    /// A subject with a value, whose publisher is one of Combine's, as all of Millrace's are: `native(initialValue:)`.
    ///
    /// With `willChange` a state kept in it is copied where it is changed, without it is changed in place.
    ///
    /// - Parameter willChange: Is called with a new value just before it is stored and published.
    @preconcurrency
    public static func combine(
        initialValue: Element,
        willChange: (@Sendable (Element) -> Void)? = nil
    ) -> ReplayLastSubjectType {
        let subject = native(initialValue: initialValue)
        guard let willChange else { return subject }
        let input = subject.subscriber
        return ReplayLastSubjectType(
            publisher: subject.publisher,
            subscriber: SubscriberType(
                onValue: { value in
                    willChange(value)
                    input.onValue(value)
                },
                onCompleted: input.onCompleted
            ),
            value: subject.value
        )
    }
}
