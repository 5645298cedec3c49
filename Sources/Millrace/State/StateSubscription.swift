// SPDX-License-Identifier: Apache-2.0

public import MillraceCore
import Synchronization

/// A subscription to a store's states, as ``ReduxStoreBase/subscribe(_:)`` returns it.
///
/// ```swift
/// let subscription = store.subscribe { state in print(state) }
/// subscription.unsubscribe()          // at most the call that runs now
/// await subscription.cancel()         // and not even that one
/// ```
///
/// Releasing the subscription does not end it. It ends when ``unsubscribe()`` or ``cancel()`` is called, or when the
/// store is released. If it ends before the first call of the subscriber, the subscriber is never called.
///
/// **Cost.** Ending a subscription costs one message in the queue of actions, however many subscribers there are.
public final class StateSubscription: SubscriptionType, Sendable {
    /// The lowest bit says that the subscription has ended. The other bits are the number of running calls, at most
    /// one.
    private let word = Atomic<UInt>(0)
    /// The tasks that wait for the running call to end.
    private let waiters = Locked<[Resumption<Void>]>([])
    /// The number of the subscriber in the store's list of subscribers, while it is there. Unsafe because only the
    /// consumer touches it, as the list; the consumer role orders the accesses of different threads.
    nonisolated(unsafe) var place: UInt?
    private let remove: @Sendable (StateSubscription) -> Void

    private static var ended: UInt { 1 }
    private static var oneCall: UInt { 2 }

    init(remove: @escaping @Sendable (StateSubscription) -> Void) {
        self.remove = remove
    }

    /// Ends the subscription. Any thread, any number of times.
    ///
    /// After a call on the pipeline's thread, the subscriber is never called again. After a call on another thread,
    /// only a call of the subscriber that is already running may end later; ``cancel()`` waits for it. The store
    /// releases the subscriber when the pipeline reaches a message in its queue. With ``StoreEngine/caller`` this
    /// method may have to drain the queue for that.
    public func unsubscribe() {
        // All changes of `word` have one order: a call of the subscriber began before this one, or sees the bit. Pairs
        // with call(_:). Releasing: everything done before this, before the pipeline's next check of the bit.
        let before = word.bitwiseOr(Self.ended, ordering: .acquiringAndReleasing).oldValue
        guard before & Self.ended == 0 else { return }
        remove(self)
    }

    /// Ends the subscription, and waits until no call of the subscriber runs. Any task, any number of times.
    ///
    /// When the method returns, the subscriber is not running and is never called again, and the caller sees its side
    /// effects. The method waits for one call of the subscriber at most. It does not wait for the queue, nor when the
    /// pipeline is idle or has ended.
    ///
    /// It waits for that call even if the task is cancelled. A subscriber must not block until its own subscription is
    /// cancelled, because its call would wait for itself. It may start a task that cancels the subscription.
    public func cancel() async {
        unsubscribe()
        guard isRunning else { return }
        await suspend { continuation in
            // The second check, under the lock. A call that ends after it takes the lock after it changed `word`, so it
            // finds the continuation.
            let waits = waiters.withLock { waiters in
                guard isRunning else { return false }
                waiters.append(continuation)
                return true
            }
            if !waits { continuation.resume() }
        }
    }

    /// Runs one call of the subscriber, unless the subscription has ended. On the pipeline's thread.
    func call(_ body: () -> Void) {
        #if MILLRACE_PLANTED
            if Planted.has(.cancelledStillTold), isCancelled { return body() }
        #endif
        // Acquiring: the call comes after this; pairs with unsubscribe().
        if word.add(Self.oneCall, ordering: .acquiring).oldValue & Self.ended == 0 { body() }
        // Releasing: the call comes before this; pairs with isRunning.
        guard word.subtract(Self.oneCall, ordering: .acquiringAndReleasing).newValue == Self.ended else { return }
        let waiting = waiters.withLock { waiters in
            defer { waiters = [] }
            return waiters
        }
        for waiter in waiting { waiter.resume() }
    }

    private var isRunning: Bool {
        // Acquiring: makes the side effects of the call visible; pairs with the end of the call in call(_:).
        word.load(ordering: .acquiring) >= Self.oneCall
    }

    /// Whether the subscription has ended. A first check; `call(_:)` checks again.
    var isCancelled: Bool {
        // Relaxed: a thread sees its own changes, and call(_:) checks again for changes of other threads.
        word.load(ordering: .relaxed) & Self.ended != 0
    }
}
