// SPDX-License-Identifier: Apache-2.0

/// What is behind the native subjects: a value or none, and who listens.
///
/// Each subscription has a queue of its own. A value is put into all of them under the lock, so that all see one order;
/// whoever finds a queue that nobody empties empties it, without the lock.
@usableFromInline
final class NativeSubject<Element, ErrorType: Error>: @unchecked Sendable {
    // Unchecked because everything that changes is touched only while `lock` is held.
    @usableFromInline typealias Subscriber = SubscriberType<Element, ErrorType>
    @usableFromInline typealias Subscription = NativeSubscription<Element, ErrorType>
    @usableFromInline typealias Event = SubjectEvent<Element, ErrorType>

    @usableFromInline let lock = SubjectLock()
    /// What new subscribers are given first; nil: nothing.
    @usableFromInline let latest: UnsafeMutablePointer<Element>?
    @usableFromInline @exclusivity(unchecked) var subscriptions: [Subscription] = []
    /// The last event, after which there are no others.
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

    // No foreign code runs under the lock, apart from the closure given to `mutate`: not even the destructor of a value.

    @inlinable
    func send(_ value: Element) {
        lock.lock()
        guard end == nil else { return lock.unlock() }
        var old: Element?
        if let latest {
            old = latest.move()
            latest.initialize(to: value)
        }
        let audience = enqueue(.value(value))
        withExtendedLifetime(old) { lock.unlock() }
        audience.deliver()
    }

    /// Changes the value where it is. After the end the change is lost.
    @inlinable
    func mutate(_ latest: UnsafeMutablePointer<Element>, _ body: (inout Element) -> Bool) {
        lock.lock()
        guard end == nil else {
            var lost = latest.pointee
            lock.unlock()
            _ = body(&lost)
            return
        }
        guard body(&latest.pointee) else { return lock.unlock() }
        let audience = subscriptions.isEmpty ? Audience() : enqueue(.value(latest.pointee))
        lock.unlock()
        audience.deliver()
    }

    @inlinable
    func value(_ latest: UnsafeMutablePointer<Element>) -> Element {
        lock.lock()
        defer { lock.unlock() }
        return latest.pointee
    }

    @inlinable
    func complete(_ error: ErrorType?) {
        lock.lock()
        guard end == nil else { return lock.unlock() }
        end = .completed(error)
        let audience = enqueue(.completed(error))
        subscriptions = []
        lock.unlock()
        audience.deliver()
    }

    @inlinable
    func subscribe(_ subscriber: Subscriber) -> Subscription {
        let subscription = Subscription(subscriber, lock, of: self)
        subscriber.onSubscribe(subscription)
        lock.lock()
        if !subscription.isEnded {
            if let end {
                subscription.events.append(end)
            } else {
                if let latest { subscription.events.append(.value(latest.pointee)) }
                subscriptions.append(subscription)
            }
        }
        lock.unlock()
        subscription.deliver()
        return subscription
    }

    @usableFromInline
    func remove(_ subscription: Subscription) {
        lock.lock()
        let index = subscriptions.firstIndex { $0 === subscription }
        let removed = index.map { subscriptions.remove(at: $0) }
        withExtendedLifetime(removed) { lock.unlock() }
    }

    /// Under the lock.
    @inlinable
    func enqueue(_ event: Event) -> Audience {
        for subscription in subscriptions where !subscription.isEnded { subscription.events.append(event) }
        return Audience(subscriptions: subscriptions)
    }

    /// Who was told of an event, as it was at that moment.
    @usableFromInline
    struct Audience {
        @usableFromInline let subscriptions: [Subscription]

        @inlinable
        init(subscriptions: [Subscription] = []) {
            self.subscriptions = subscriptions
        }

        @inlinable
        func deliver() {
            for subscription in subscriptions { subscription.deliver() }
        }
    }
}
