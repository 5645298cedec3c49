// SPDX-License-Identifier: Apache-2.0

extension ReduxStoreBase {
    /// Calls a closure with the current state, then with every published state that `emitsValue` lets through.
    ///
    /// ```swift
    /// let subscription = store.subscribe { state in print(state) }
    /// subscription.unsubscribe()
    /// ```
    ///
    /// **Threads and order.** The closure runs on the pipeline's thread; closures run in the order of subscription. The
    /// subscription is a message in the queue, and the first call comes when the pipeline reaches it. Actions that the
    /// closure dispatches go to the tail of the queue. The pipeline waits for the closure, so keep it short.
    /// ``StateSubscription`` says how a subscription ends.
    @discardableResult
    public final func subscribe(_ body: @escaping @Sendable (StateType) -> Void) -> StateSubscription {
        core.subscribe(body)
    }

    /// Calls a closure with a part of the current state, then each time that part has changed.
    ///
    /// ```swift
    /// store.subscribe(select: \.user, removeDuplicates: { $0.id == $1.id }) { user in print(user) }
    /// ```
    ///
    /// `select` and `removeDuplicates` run on the pipeline's thread, once for each state that a closure of
    /// ``subscribe(_:)`` would be called with. Threads, order and end are as there. The subscription keeps the part
    /// that the closure was called with last.
    ///
    /// - Parameters:
    ///   - select: A closure, or a key path literal, that returns the part of a state.
    ///   - isDuplicate: A closure that gets the part that `body` was called with last and the new part. If it returns
    ///     true, `body` is not called.
    ///   - body: The closure to call with the part. The first part always counts as new.
    @discardableResult
    public final func subscribe<Value>(
        select: @escaping @Sendable (StateType) -> Value,
        removeDuplicates isDuplicate: @escaping @Sendable (Value, Value) -> Bool,
        _ body: @escaping @Sendable (Value) -> Void
    ) -> StateSubscription {
        core.subscribe(select: select, removeDuplicates: isDuplicate, body)
    }

    /// Calls a closure with a part of the current state, then each time that part is no longer equal to the last one.
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
