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

    /// Calls a closure with a part of the current state, then whenever that part has changed.
    ///
    /// ```swift
    /// store.subscribe(select: \.user, removeDuplicates: { $0.id == $1.id }) { user in print(user) }
    /// ```
    ///
    /// `select` and `removeDuplicates` run on the pipeline's thread, once for each state that ``subscribe(_:)`` would
    /// be called with; everything else is as there. The part that the closure was called with last is kept.
    ///
    /// - Parameters:
    ///   - select: The part, from a state: a closure, or a key path written in place.
    ///   - isDuplicate: Given the part that `body` was called with last and the new one, whether not to call it again.
    ///   - body: Is called with the part; the first time always.
    @discardableResult
    public final func subscribe<Value>(
        select: @escaping @Sendable (StateType) -> Value,
        removeDuplicates isDuplicate: @escaping @Sendable (Value, Value) -> Bool,
        _ body: @escaping @Sendable (Value) -> Void
    ) -> StateSubscription {
        core.subscribe(select: select, removeDuplicates: isDuplicate, body)
    }

    /// Calls a closure with a part of the current state, then whenever that part is no longer equal to the last one.
    ///
    /// ```swift
    /// store.subscribe(select: \.count) { count in print(count) }
    /// ```
    @discardableResult
    public final func subscribe<Value: Equatable>(
        select: @escaping @Sendable (StateType) -> Value,
        _ body: @escaping @Sendable (Value) -> Void
    ) -> StateSubscription {
        core.subscribe(select: select, removeDuplicates: ==, body)
    }
}
