// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension ReduxStoreBase {
    /// Dispatches an urgent action: the pipeline handles it right after the action that it is handling now, before the
    /// actions that wait.
    ///
    /// ```swift
    /// store.dispatch(urgent: .stopTrading)    // reduced next, not after the 5,000 orders that wait
    /// ```
    ///
    /// **Order.** Urgent actions come first, then internal ones (``ActionOrder/internalFirst``), then the others. Among
    /// themselves urgent actions are handled first in, first out. Nothing is promised about the order of an urgent
    /// action and the other actions of the same thread: it may be handled before actions that were dispatched earlier.
    /// When two threads dispatch urgent actions at the same time, the later one in their queue waits until the dispatch
    /// of the earlier one has returned; until then the pipeline handles other actions.
    ///
    /// **Capacity.** The capacity does not apply: an urgent action is never full, dropped or blocked, and takes no
    /// place of another action. So use it for few actions, such as a kill switch or a change of the configuration.
    /// Urgent actions that never end keep all other actions waiting.
    ///
    /// **The rest is as for any action.** Middlewares, probes and recorders see it as an action with a number and a
    /// source; its time in the queue is the time in the queue of urgent actions. ``metrics`` counts it
    /// (``StoreMetrics/urgentActions``). A ``drain()`` that begins later waits for it; a shutdown finishes it, or drops
    /// it at the deadline. With ``StoreEngine/caller``, and on the main queue with ``StoreEngine/main``, it is finished
    /// when this returns, if a dispatch there would be.
    ///
    /// Any thread. The first urgent action of a store makes a queue for them. Each costs two atomic operations more
    /// than a dispatch; a store without urgent actions pays nothing.
    ///
    /// - Returns: `OfferResult.accepted`, `OfferResult.closed` or `OfferResult.outOfMemory`. An action that was not
    ///   accepted counts as rejected.
    @inlinable @discardableResult
    public final func dispatch(
        urgent action: sending ActionType,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil
    ) -> OfferResult {
        let dispatched = DispatchedAction(action, file: file, function: function, line: line, info: info)
        return core.takeUrgent(dispatched, cause: .none, run: nil)
    }

    /// Dispatches an action, and blocks the thread until there is room for it, whatever the overflow policy.
    ///
    /// For producer threads that must not lose an action and must learn when to stop:
    ///
    /// ```swift
    /// do {
    ///     while let record = source.next() { try store.dispatchOrWait(.read(record)) }
    /// } catch .closed { … }       // the store was shut down
    /// ```
    ///
    /// Blocked threads and suspended `send`s get room in the order in which they came. On the pipeline's own thread,
    /// and on the queue of the store's engine, the method never waits: the action is accepted. On an unbounded store it
    /// waits for nothing.
    ///
    /// - Throws: ``SendError/closed`` when the store was closed before the call or closes during it;
    ///   ``SendError/outOfMemory``. In both cases the action counts as rejected.
    @available(*, noasync, message: "it blocks the thread; in a task use 'try await store.send(action)'")
    public final func dispatchOrWait(
        _ action: sending ActionType,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil
    ) throws(SendError) {
        let dispatched = DispatchedAction(action, file: file, function: function, line: line, info: info)
        switch core.takeOrWait(dispatched) {
        case .accepted, .acceptedInternally: return
        case .closed: throw .closed
        case .outOfMemory: throw .outOfMemory
        }
    }
}
