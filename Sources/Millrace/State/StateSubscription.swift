// SPDX-License-Identifier: Apache-2.0

public import MillraceCore
import Synchronization

/// What ``ReduxStoreBase/subscribe(_:)`` returns: lets the subscriber go.
///
/// ```swift
/// let subscription = store.subscribe { state in print(state) }
/// subscription.unsubscribe()          // at most the call that runs now
/// await subscription.cancel()         // and not even that one
/// ```
///
/// A subscription that is thrown away goes on; it ends when ``unsubscribe()`` or ``cancel()`` is called or the store is
/// released. One that ends before its first call is never called.
///
/// **Cost.** Ending it is a message in the queue of actions, however many subscribers there are.
public final class StateSubscription: SubscriptionType, Sendable {
    /// The lowest bit: ended. The others: how many calls run, which is one at most.
    private let word = Atomic<UInt>(0)
    /// Who waits for the call that runs.
    private let waiters = Locked<[CheckedContinuation<Void, Never>]>([])
    /// Its number in the store's list of subscribers, while it is there. Unsafe because it belongs to the pipeline, and
    /// passes with its role, as the list does.
    nonisolated(unsafe) var place: UInt?
    private let remove: @Sendable (StateSubscription) -> Void

    private static var ended: UInt { 1 }
    private static var oneCall: UInt { 2 }

    init(remove: @escaping @Sendable (StateSubscription) -> Void) {
        self.remove = remove
    }

    /// Ends the subscription. Any thread, any number of times.
    ///
    /// Called on the pipeline's thread, the subscriber is never called again. Called elsewhere, at most the call that
    /// is running now ends after this returns; ``cancel()`` waits for it. What the subscriber holds is let go when the
    /// pipeline comes to a message in its queue, which with ``StoreEngine/caller`` this call may have to drain.
    public func unsubscribe() {
        // All that is done to `word` has one order, so a call either began before this or sees it: pairs with call(_:).
        // Releasing: what was done before this, before the pipeline's next look.
        let before = word.bitwiseOr(Self.ended, ordering: .acquiringAndReleasing).oldValue
        guard before & Self.ended == 0 else { return }
        remove(self)
    }

    /// Ends the subscription, and waits until no call of the subscriber runs. Any task, any number of times.
    ///
    /// When it returns, the subscriber is not running and is never called again, and what it did can be seen. It waits
    /// for one call at most: not for the queue, and for nothing at all when the pipeline is idle or gone.
    ///
    /// It waits for that call even if the task is cancelled. A subscriber must not block until it is done: that call
    /// would wait for itself. To start a task that does it, and go on, is fine.
    public func cancel() async {
        unsubscribe()
        guard isRunning else { return }
        await withCheckedContinuation { continuation in
            // The second look, under the lock: a call that ends after it finds the continuation, as it takes the lock
            // after it has left `word`.
            let waits = waiters.withLock { waiters in
                guard isRunning else { return false }
                waiters.append(continuation)
                return true
            }
            if !waits { continuation.resume() }
        }
    }

    /// Runs one call of the subscriber, unless the subscription has ended. The pipeline's.
    func call(_ body: () -> Void) {
        // Acquiring: the call comes after it; pairs with unsubscribe().
        if word.add(Self.oneCall, ordering: .acquiring).oldValue & Self.ended == 0 { body() }
        // Releasing: the call comes before it; pairs with isRunning.
        guard word.subtract(Self.oneCall, ordering: .acquiringAndReleasing).newValue == Self.ended else { return }
        let waiting = waiters.withLock { waiters in
            defer { waiters = [] }
            return waiters
        }
        for waiter in waiting { waiter.resume() }
    }

    private var isRunning: Bool {
        // Acquiring: what the call did; pairs with its end in call(_:).
        word.load(ordering: .acquiring) >= Self.oneCall
    }

    /// A first look; `call(_:)` decides.
    var isCancelled: Bool {
        // Relaxed: on the pipeline's thread it sees what that thread did, and for others call(_:) looks again.
        word.load(ordering: .relaxed) & Self.ended != 0
    }
}
