// SPDX-License-Identifier: Apache-2.0

extension ReduxStoreBase {
    /// Calls a closure with the current state, then with every state that is published and that `emitsValue` lets pass.
    ///
    /// ```swift
    /// let subscription = store.subscribe { state in print(state) }
    /// subscription.unsubscribe()
    /// ```
    ///
    /// **Threads and order.** On the pipeline's thread, in the order of subscription; the first call comes when the
    /// subscription's turn in the queue has come. What it dispatches goes to the tail of the queue. The pipeline
    /// waits for it, so it should be short. How it ends: see ``StateSubscription``.
    @discardableResult
    public final func subscribe(_ body: @escaping @Sendable (StateType) -> Void) -> StateSubscription {
        core.subscribe(body)
    }
}
