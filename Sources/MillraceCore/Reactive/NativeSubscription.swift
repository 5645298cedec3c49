// SPDX-License-Identifier: Apache-2.0

/// A subscriber of a native subject, and what it has not been told yet.
@usableFromInline
final class NativeSubscription<Element, ErrorType: Error>: SubscriptionType, @unchecked Sendable {
    // Unchecked because all that changes is touched only while `lock`, the subject's, is held; `subject` is set once.
    @usableFromInline typealias Event = SubjectEvent<Element, ErrorType>

    @usableFromInline let lock: SubjectLock
    @usableFromInline weak var subject: NativeSubject<Element, ErrorType>?
    /// Nil once it has ended, so that what its closures hold is let go.
    @usableFromInline @exclusivity(unchecked) var subscriber: SubscriberType<Element, ErrorType>?
    @usableFromInline @exclusivity(unchecked) var events = EventQueue<Event>()
    /// Whether somebody empties the queue.
    @usableFromInline @exclusivity(unchecked) var isDelivering = false

    @inlinable
    init(
        _ subscriber: SubscriberType<Element, ErrorType>,
        _ lock: SubjectLock,
        of subject: NativeSubject<Element, ErrorType>
    ) {
        self.subscriber = subscriber
        self.lock = lock
        self.subject = subject
    }

    /// Under the lock.
    @inlinable
    var isEnded: Bool { subscriber == nil }

    @usableFromInline
    func unsubscribe() {
        lock.lock()
        // Both are destroyed after the lock was released: they may hold anything.
        let remains = (subscriber, events)
        subscriber = nil
        events = EventQueue()
        withExtendedLifetime(remains) { lock.unlock() }
        subject?.remove(self)
    }

    /// Tells the subscriber what waits, unless somebody does already.
    @inlinable
    func deliver() {
        guard begin() else { return }
        while let (subscriber, event) = next() {
            switch event {
            case .value(let value): subscriber.onValue(value)
            case .completed(let error):
                subscriber.onCompleted(error)
                unsubscribe()
            }
        }
    }

    @inlinable
    func begin() -> Bool {
        lock.lock()
        defer { lock.unlock() }
        if isDelivering { return false }
        isDelivering = true
        return true
    }

    /// Nil: there is nothing more to tell, and who comes next has to look again.
    @inlinable
    func next() -> (SubscriberType<Element, ErrorType>, Event)? {
        lock.lock()
        defer { lock.unlock() }
        guard let subscriber, let event = events.popFirst() else {
            isDelivering = false
            return nil
        }
        return (subscriber, event)
    }
}

/// What a subject tells.
@usableFromInline
enum SubjectEvent<Element, ErrorType: Error> {
    case value(Element)
    case completed(ErrorType?)
}

/// First in, first out; allocates nothing as long as it is emptied soon.
@usableFromInline
struct EventQueue<Event> {
    @usableFromInline var events: [Event?] = []
    @usableFromInline var head = 0

    @inlinable
    init() {}

    @inlinable
    mutating func append(_ event: Event) {
        events.append(event)
    }

    @inlinable
    mutating func popFirst() -> Event? {
        guard head < events.count else { return nil }
        let event = events[head].take()
        head += 1
        if head == events.count, head <= 64 {
            events.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 64, 2 * head >= events.count {
            // A copy, so that the room of a long queue is given back.
            events = Array(events[head...])
            head = 0
        }
        return event
    }
}
