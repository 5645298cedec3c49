// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import Synchronization

/// What ``ReduxStoreBase/subscribe(_:)`` returns: lets the subscriber go.
///
/// A subscription that is thrown away goes on; it ends when ``unsubscribe()`` is called or the store is released.
public final class StateSubscription: Sendable {
    private let cancelled = Atomic<Bool>(false)
    private let remove: @Sendable (StateSubscription) -> Void

    init(remove: @escaping @Sendable (StateSubscription) -> Void) {
        self.remove = remove
    }

    /// Ends the subscription. Any thread, any number of times.
    ///
    /// Called on the pipeline's thread, the subscriber is never called again. Called elsewhere, at most the call that
    /// is running now ends after this returns.
    public func unsubscribe() {
        // Sequentially consistent: before the pipeline's next look, pairs with isCancelled.
        guard !cancelled.exchange(true, ordering: .sequentiallyConsistent) else { return }
        remove(self)
    }

    @usableFromInline
    var isCancelled: Bool {
        // Sequentially consistent, pairs with unsubscribe().
        cancelled.load(ordering: .sequentiallyConsistent)
    }
}
