// SPDX-License-Identifier: Apache-2.0

extension AnyActionHandler {
    /// Dispatches an urgent action: a store handles it next, before the actions that wait.
    ///
    /// `ReduxStoreBase.dispatch(urgent:)` says what that means for the order. Source, cause and run are those of any
    /// action of this output. That holds for the output of a middleware, and for a handler that was made from a store.
    /// Any other target (a closure, an erased store, a projection) receives the action like any other.
    ///
    /// - Returns: ``OfferResult/accepted``, also if a lift on the way filters the action out; ``OfferResult/closed`` or
    ///   ``OfferResult/outOfMemory`` if the store has rejected it. Never ``OfferResult/full``.
    @discardableResult
    @inlinable
    public func dispatch(
        urgent action: ActionType,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil
    ) -> OfferResult {
        // Not `sending`, as in `dispatch(_:)`.
        nonisolated(unsafe) let action = DispatchedAction(
            action,
            file: file,
            function: function,
            line: line,
            info: info
        )
        return sink.acceptUrgently(action, cause: cause, run: run)
    }
}
