// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

#if canImport(Combine)
    public import Combine
#else
    @preconcurrency public import OpenCombine
#endif

extension SubjectType {
    /// Creates a Millrace subject from a subject of Combine.
    ///
    /// OpenCombine's subjects hold a lock of the subscription while they call its subscriber. If the subscriber then
    /// waits for another thread that pushes a value, it waits forever. `combine()` holds no lock.
    public init(passthroughSubject subject: PassthroughSubject<Element, ErrorType>) {
        self.init(publisher: subject.asPublisherType(), subscriber: .combine(subject: subject))
    }

    /// Creates a subject whose publisher is also a publisher of Combine, as are all publishers of Millrace. It does the
    /// same as `native()`.
    public static func combine() -> SubjectType {
        .native()
    }
}

extension PassthroughSubject {
    /// Returns a Millrace subscriber that feeds this subject.
    public func asSubscriberType() -> SubscriberType<Output, Failure> {
        .combine(subject: self)
    }
}

extension ReplayLastSubjectType {
    /// Creates a Millrace subject with a value from a subject of Combine with a value.
    ///
    /// Changing a state that is kept in this subject copies the state. OpenCombine's subjects hold a lock of the
    /// subscription while they call its subscriber. If the subscriber then waits for another thread that pushes a
    /// value, it waits forever. `combine(initialValue:willChange:)` holds no lock.
    ///
    /// - Parameters:
    ///   - subject: The subject of Combine, which holds the value.
    ///   - willChange: A closure that is called with each new value just before the value is stored and published.
    @preconcurrency
    public init(
        currentValueSubject subject: CurrentValueSubject<Element, ErrorType>,
        willChange: (@Sendable (Element) -> Void)? = nil
    ) {
        let input = SubscriberType<Element, ErrorType>.combine(subject: subject)
        let shared = Unchecked(subject)  // Subjects are meant to be shared.
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

    /// Creates a subject with a value, whose publisher is also a publisher of Combine, as are all publishers of
    /// Millrace: `native(initialValue:)`.
    ///
    /// With `willChange`, changing a state that is kept in the subject copies the state. Without it the state is
    /// changed in place.
    ///
    /// - Parameters:
    ///   - initialValue: The value before the first new one.
    ///   - willChange: A closure that is called with each new value just before the value is stored and published.
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
