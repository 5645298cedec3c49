// SPDX-License-Identifier: Apache-2.0

extension SubjectType {
    /// A subject that needs no reactive library.
    ///
    /// **Threads and order.** Any thread may push, subscribe and unsubscribe. A subscriber is called by the thread that
    /// pushes (or by one that is calling it already: then the push returns before the call), one value at a time, in
    /// the one order of all pushes; never while a lock is held. What is pushed by a subscriber comes after what waits.
    /// After ``SubscriptionType/unsubscribe()`` at most one call more, which was under way. After a completion values are
    /// ignored, and new subscribers are told the completion. A subscription that is thrown away goes on.
    ///
    /// **Cost.** A lock a push, and two for each subscriber; no allocation. Subscribing and unsubscribing take a lock or
    /// two, however many subscribers there are.
    @inlinable
    public static func native() -> SubjectType {
        let subject = NativeSubject<Element, ErrorType>()
        return SubjectType(publisher: subject.publisher, subscriber: subject.input)
    }
}

extension ReplayLastSubjectType {
    /// A subject that needs no reactive library, with a value from the start.
    ///
    /// As ``SubjectType/native()``, and: a new subscriber is called with the current value, before `subscribe` returns,
    /// and never with an older one after it. ``mutate(_:)`` changes the value in place, in one step; its closure runs
    /// while a lock is held: readers wait, and the closure itself must not use the subject, which stops the program.
    @inlinable
    public static func native(initialValue: Element) -> ReplayLastSubjectType {
        let subject = NativeSubject<Element, ErrorType>(initialValue: initialValue)
        guard let latest = subject.latest else { preconditionFailure("a subject with a value has room for it") }
        // The subject owns the memory and is held by the same closures.
        let place = Unchecked(latest)
        return ReplayLastSubjectType(
            publisher: subject.publisher,
            subscriber: subject.input,
            value: { subject.value(place.value) },
            mutateInPlace: { subject.mutate(place.value, $0) }
        )
    }
}

extension NativeSubject {
    @inlinable
    var publisher: PublisherType<Element, ErrorType> {
        PublisherType { self.subscribe($0) }
    }

    @inlinable
    var input: SubscriberType<Element, ErrorType> {
        SubscriberType(onValue: { self.send($0) }, onCompleted: { self.complete($0) })
    }
}
