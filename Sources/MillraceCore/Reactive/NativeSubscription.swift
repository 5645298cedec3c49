// SPDX-License-Identifier: Apache-2.0

/// A subscriber of a native subject, and what it has not been told yet.
@usableFromInline
final class NativeSubscription<Element, ErrorType: Error>: SubscriptionType, @unchecked Sendable {
    // Unchecked because all that changes is touched only while `lock`, the subject's, is held; `subject` is set once.
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
    /// Nil once it has ended, so that what its closures hold is let go.
    @usableFromInline @exclusivity(unchecked) var listener: Listener?
    @usableFromInline @exclusivity(unchecked) var events = EventQueue<Event>()
    /// Its number in the subject's list, while it is there.
    @usableFromInline @exclusivity(unchecked) var place: UInt?
    /// Whether somebody empties the queue.
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
        // Both are destroyed after the lock was released: they may hold anything.
        let remains = (listener, events)
        listener = nil
        events = EventQueue()
        withExtendedLifetime(remains) { lock.unlock() }
        subject?.remove(self)
    }

    /// Under the lock: takes it upon the caller to tell the subscriber. Nil: somebody does already.
    @inlinable
    func claim() -> Listener? {
        guard !isDelivering, let listener else { return nil }
        isDelivering = true
        return listener
    }

    /// Under the lock: leaves an event for whoever tells the subscriber.
    @inlinable
    func append(_ event: Event) {
        if listener != nil { events.append(event) }
    }

    /// Tells the subscriber what waits, unless somebody does already.
    @inlinable
    func deliver() {
        lock.lock(subjectMistake)
        let isClaimed = claim() != nil
        lock.unlock()
        if isClaimed { goOn() }
    }

    /// Tells an event, then what waits; after `claim`.
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

    /// Nil: there is nothing more to tell, and whoever comes next has to claim it again.
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
