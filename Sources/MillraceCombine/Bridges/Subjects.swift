// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

#if canImport(Combine)
    public import Combine
#else
    @preconcurrency public import OpenCombine
#endif

extension SubjectType {
    /// A subject of Combine as Millrace knows them.
    public init(passthroughSubject subject: PassthroughSubject<Element, ErrorType>) {
        self.init(publisher: subject.asPublisherType(), subscriber: .combine(subject: subject))
    }

    /// A subject with one of Combine behind it.
    public static func combine() -> SubjectType {
        SubjectType(passthroughSubject: PassthroughSubject())
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

    /// A subject with one of Combine behind it, which has a value.
    ///
    /// A state kept in it is copied where it is changed; `native(initialValue:)` changes it in place.
    ///
    /// - Parameter willChange: Is called with a new value just before it is stored and published.
    @preconcurrency
    public static func combine(
        initialValue: Element,
        willChange: (@Sendable (Element) -> Void)? = nil
    ) -> ReplayLastSubjectType {
        ReplayLastSubjectType(currentValueSubject: CurrentValueSubject(initialValue), willChange: willChange)
    }
}
