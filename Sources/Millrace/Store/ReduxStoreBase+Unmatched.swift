// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension ReduxStoreBase {
    /// Sets the handler that is told of actions for elements that do not exist. It replaces the one that was set
    /// before.
    ///
    /// ```swift
    /// store.onUnmatched { logger.warning("\($0)") }
    /// ```
    ///
    /// Each lift with `unknown: .report` calls it once for such an action. `StoreMetrics.unmatched` counts all such
    /// actions, also those of lifts that ignore them.
    ///
    /// **Threads.** Any thread may call this; the handler is in place for the actions dispatched after the call. The
    /// pipeline's thread calls the handler while the reducers run: it must return soon, and must not read the state.
    /// It is released when the store ends. On a closed store nothing happens.
    public final func onUnmatched(_ handler: @escaping @Sendable (UnmatchedAction) -> Void) {
        let consumer = core.consumer
        _ = core.send { consumer.calls.onUnmatched = UnmatchedHandler(handler) }
    }
}

/// Keeps the handler of unmatched actions.
final class UnmatchedHandler: Sendable {
    let handler: @Sendable (UnmatchedAction) -> Void

    init(_ handler: @escaping @Sendable (UnmatchedAction) -> Void) {
        self.handler = handler
    }
}
