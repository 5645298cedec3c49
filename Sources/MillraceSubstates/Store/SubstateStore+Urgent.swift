// SPDX-License-Identifier: Apache-2.0

public import Millrace

extension SubstateStore {
    /// Dispatches an urgent action: the pipeline handles it right after the action that it is handling now, before the
    /// actions that wait.
    ///
    /// ```swift
    /// store.dispatch(urgent: TradingAction.stop)
    /// ```
    ///
    /// Threads, order and cost are as for `ReduxStoreBase.dispatch(urgent:)`. The capacity does not limit urgent
    /// actions.
    ///
    /// - Returns: `OfferResult.accepted`, `OfferResult.closed` or `OfferResult.outOfMemory`. An action that was not
    ///   accepted counts as rejected.
    @inlinable @discardableResult
    public func dispatch(
        urgent action: any ActionType,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line
    ) -> OfferResult {
        base.dispatch(urgent: action, file: file, function: function, line: line)
    }

    /// Dispatches a ``StoreAction`` as an urgent action: `store.dispatch(urgent: .reset)`.
    @inlinable @discardableResult
    public func dispatch(
        urgent action: StoreAction,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line
    ) -> OfferResult {
        base.dispatch(urgent: action, file: file, function: function, line: line)
    }

    /// Dispatches an action, and blocks the thread until there is room for it, whatever the overflow policy. On the
    /// pipeline's own thread or queue, and in an unbounded store, it never waits: see `ReduxStoreBase.dispatchOrWait`.
    ///
    /// ```swift
    /// do {
    ///     while let record = source.next() { try store.dispatchOrWait(RecordAction.read(record)) }
    /// } catch .closed { … }       // the store was shut down
    /// ```
    ///
    /// - Throws: `SendError.closed` when the store was closed before the call or closes during it;
    ///   `SendError.outOfMemory` when the system has no memory for the queue. In both cases the action counts as
    ///   rejected.
    @available(*, noasync, message: "it blocks the thread; in a task use 'try await store.base.send(action)'")
    public func dispatchOrWait(
        _ action: any ActionType,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line
    ) throws(SendError) {
        try base.dispatchOrWait(action, file: file, function: function, line: line)
    }

    /// Dispatches a ``StoreAction``, and blocks the thread until there is room for it:
    /// `try store.dispatchOrWait(.reset)`.
    @available(*, noasync, message: "it blocks the thread; in a task use 'try await store.base.send(action)'")
    public func dispatchOrWait(
        _ action: StoreAction,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line
    ) throws(SendError) {
        try base.dispatchOrWait(action, file: file, function: function, line: line)
    }
}
