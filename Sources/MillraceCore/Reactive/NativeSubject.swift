// SPDX-License-Identifier: Apache-2.0

/// The implementation of the native subjects: a latest value, if the subject has one, and the subscriptions.
///
/// Each subscription has its own queue. A value is appended to all queues under the lock, so all subscribers see the
/// same order. A thread that finds a queue which no other thread is emptying empties it. No lock is held while a
/// subscriber is called.
@usableFromInline
final class NativeSubject<Element, ErrorType: Error>: @unchecked Sendable {
    // Unchecked because all mutable state is touched only while `lock` is held.
    @usableFromInline typealias Subscription = NativeSubscription<Element, ErrorType>
    @usableFromInline typealias Event = SubjectEvent<Element, ErrorType>

    @usableFromInline let lock = Lock()
    /// The value that a new subscriber receives first; nil if there is none.
    @usableFromInline let latest: UnsafeMutablePointer<Element>?
    /// In the order in which they are called.
    @usableFromInline @exclusivity(unchecked) var subscriptions = OrderedList<Subscription>()
    /// The last event; no event follows it.
    @usableFromInline @exclusivity(unchecked) var end: Event?

    @inlinable
    init() {
        latest = nil
    }

    @inlinable
    init(initialValue: Element) {
        let latest = UnsafeMutablePointer<Element>.allocate(capacity: 1)
        latest.initialize(to: initialValue)
        self.latest = latest
    }

    deinit {
        latest?.deinitialize(count: 1)
        latest?.deallocate()
    }

    // No foreign code runs under the lock, not even the destructor of a value. The closure given to `mutate` is the
    // exception.

    @inlinable
    func send(_ value: Element) {
        lock.lock(subjectMistake)
        guard end == nil else { return lock.unlock() }
        guard let latest else { return tellAndUnlock(.value(value)) }
        let old = latest.move()
        latest.initialize(to: value)
        tellAndUnlock(.value(value))
        _ = consume old
    }

    /// Changes the value in place. After the last event, the change is lost.
    @inlinable
    func mutate(_ latest: UnsafeMutablePointer<Element>, _ body: (inout Element) -> Bool) {
        lock.lock(subjectMistake)
        guard end == nil else {
            var lost = latest.pointee
            lock.unlock()
            _ = body(&lost)
            return
        }
        if body(&latest.pointee), !subscriptions.isEmpty {
            tellAndUnlock(.value(latest.pointee))
        } else {
            lock.unlock()
        }
    }

    @inlinable
    func value(_ latest: UnsafeMutablePointer<Element>) -> Element {
        lock.lock(subjectMistake)
        defer { lock.unlock() }
        return latest.pointee
    }

    @inlinable
    func complete(_ error: ErrorType?) {
        lock.lock(subjectMistake)
        guard end == nil else { return lock.unlock() }
        end = .completed(error)
        tellAndUnlock(.completed(error))
    }

    @inlinable
    func subscribe(_ subscriber: SubscriberType<Element, ErrorType>) -> Subscription {
        let subscription = Subscription(subscriber, lock, of: self)
        subscriber.onSubscribe(subscription)
        lock.lock(subjectMistake)
        // Claimed before any other thread knows of the subscription: this thread delivers the first value.
        guard let listener = subscription.claim() else {
            lock.unlock()
            return subscription
        }
        let first = end ?? latest.map { .value($0.pointee) }
        if end == nil { subscription.place = subscriptions.append(subscription) }
        lock.unlock()
        if let first {
            subscription.deliver(first, to: listener)
        } else {
            subscription.goOn()
        }
        return subscription
    }

    @usableFromInline
    func remove(_ subscription: Subscription) {
        lock.lock(subjectMistake)
        let removed = subscription.place.take().flatMap { subscriptions.remove($0) }
        withExtendedLifetime(removed) { lock.unlock() }
    }

    /// Delivers an event to all subscribers. The caller holds the lock; this function releases it.
    @inlinable
    func tellAndUnlock(_ event: Event) {
        if let subscription = subscriptions.only, subscription.events.isEmpty, let listener = subscription.claim() {
            // The usual case: no event waits for the only subscriber.
            lock.unlock()
            subscription.deliver(event, to: listener)
        } else {
            let audience = subscriptions.entries
            for entry in audience { entry.element?.append(event) }
            lock.unlock()
            for entry in audience { entry.element?.deliver() }
        }
    }
}

@usableFromInline
var subjectMistake: String {
    "a native subject was used inside its own `mutate`, or by a reducer: use the inout parameter"
}
