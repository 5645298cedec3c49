// SPDX-License-Identifier: Apache-2.0

/// A subscriber of a native subject, with the events that it has not received yet.
@usableFromInline
final class NativeSubscription<Element, ErrorType: Error>: SubscriptionType, @unchecked Sendable {
    // Unchecked because all mutable state is touched only while the subject's `lock` is held; `subject` is set once.
    @usableFromInline typealias Event = SubjectEvent<Element, ErrorType>

    /// A subscriber in one reference, so that it is cheap to hold during a call.
    @usableFromInline
    final class Listener: Sendable {
        @usableFromInline let subscriber: SubscriberType<Element, ErrorType>

        @inlinable
        init(_ subscriber: SubscriberType<Element, ErrorType>) {
            self.subscriber = subscriber
        }
    }

    @usableFromInline let lock: Lock
    @usableFromInline weak var subject: NativeSubject<Element, ErrorType>?
    /// Nil after the end, so that the objects captured by the closures are released.
    @usableFromInline @exclusivity(unchecked) var listener: Listener?
    @usableFromInline @exclusivity(unchecked) var events = EventQueue<Event>()
    /// Its number in the subject's list, while it is in the list.
    @usableFromInline @exclusivity(unchecked) var place: UInt?
    /// Whether a thread is emptying the queue.
    @usableFromInline @exclusivity(unchecked) var isDelivering = false

    @inlinable
    init(
        _ subscriber: SubscriberType<Element, ErrorType>,
        _ lock: Lock,
        of subject: NativeSubject<Element, ErrorType>
    ) {
        listener = Listener(subscriber)
        self.lock = lock
        self.subject = subject
    }

    @usableFromInline
    func unsubscribe() {
        lock.lock(subjectMistake)
        // Both are destroyed after the lock is released, because their destructors may run any code.
        let remains = (listener, events)
        listener = nil
        events = EventQueue()
        withExtendedLifetime(remains) { lock.unlock() }
        subject?.remove(self)
    }

    /// Makes the caller the thread that delivers; nil if a thread delivers already or the subscription has ended. Under
    /// the lock.
    @inlinable
    func claim() -> Listener? {
        guard !isDelivering, let listener else { return nil }
        isDelivering = true
        return listener
    }

    /// Appends an event for the thread that delivers. Under the lock.
    @inlinable
    func append(_ event: Event) {
        if listener != nil { events.append(event) }
    }

    /// Delivers the waiting events, unless another thread does so already.
    @inlinable
    func deliver() {
        lock.lock(subjectMistake)
        let isClaimed = claim() != nil
        lock.unlock()
        if isClaimed { goOn() }
    }

    /// Delivers an event, then the waiting events; call it after `claim`.
    @inlinable
    func deliver(_ event: Event, to listener: Listener) {
        tell(event, to: listener)
        goOn()
    }

    @inlinable
    func goOn() {
        while let (listener, event) = next() { tell(event, to: listener) }
    }

    @inlinable
    func tell(_ event: Event, to listener: Listener) {
        switch event {
        case .value(let value): listener.subscriber.onValue(value)
        case .completed(let error):
            listener.subscriber.onCompleted(error)
            unsubscribe()
        }
    }

    /// Takes the next event out of the queue. Nil ends the delivery: the next thread has to claim it again.
    @inlinable
    func next() -> (Listener, Event)? {
        lock.lock(subjectMistake)
        defer { lock.unlock() }
        guard let listener, let event = events.popFirst() else {
            isDelivering = false
            return nil
        }
        return (listener, event)
    }
}
