// SPDX-License-Identifier: Apache-2.0

extension SubjectType {
    /// Creates a subject that needs no reactive library.
    ///
    /// **Threads and order.** Any thread may push, subscribe and unsubscribe. The pushing thread calls the subscriber.
    /// If another thread is already calling that subscriber, that thread delivers the value, and the push returns
    /// before the call. A subscriber receives one value at a time, in the one order of all pushes, and never while a
    /// lock is held. A value that a subscriber pushes comes after the waiting values. After
    /// ``SubscriptionType/unsubscribe()``, at most one call follows, which was under way. After a completion, values
    /// are ignored, and new subscribers receive the completion. A subscription stays active when its object is
    /// released.
    ///
    /// **Cost.** One lock per push, and two per subscriber; no allocation. Subscribing and unsubscribing take one or
    /// two locks, whatever the number of subscribers.
    @inlinable
    public static func native() -> SubjectType {
        let subject = NativeSubject<Element, ErrorType>()
        return SubjectType(publisher: subject.publisher, subscriber: subject.input)
    }
}

extension ReplayLastSubjectType {
    /// Creates a subject that has a value from the start and needs no reactive library.
    ///
    /// The rules of ``SubjectType/native()`` apply. In addition, `subscribe` calls a new subscriber with the current
    /// value before it returns; no older value follows. ``mutate(_:)`` changes the value in place, in one step. Its
    /// closure runs while a lock is held, so readers wait. If the closure uses the subject itself, the program stops.
    @inlinable
    public static func native(initialValue: Element) -> ReplayLastSubjectType {
        let subject = NativeSubject<Element, ErrorType>(initialValue: initialValue)
        guard let latest = subject.latest else {
            preconditionFailure("internal error: a subject with a value has no memory for the value")
        }
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
