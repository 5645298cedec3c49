// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Tells the pipeline on the current thread of actions whose element a lifted reducer did not find.
///
/// The pipeline is in another module, so it registers here how it is told. Lifts therefore need not know their store.
package enum UnmatchedActions {
    /// Counts the action that the pipeline is reducing if the argument is nil; otherwise passes on the report. Returns
    /// whether the store has a handler. Does nothing, and returns false, where a middleware runs the reducer.
    package typealias Sink = @Sendable (UnmatchedAction?) -> Bool

    private final class Registered: Sendable {
        let sink: Sink

        init(_ sink: @escaping Sink) {
            self.sink = sink
        }
    }

    private static let registered = AtomicLazyReference<Registered>()

    /// Registers the sink. The first call counts. Any thread.
    package static func register(_ sink: @escaping Sink) {
        _ = registered.storeIfNil(Registered(sink))
    }

    /// Counts the action that is being reduced. Returns whether the store wants reports.
    static func count() -> Bool { registered.load()?.sink(nil) ?? false }

    static func report(_ action: UnmatchedAction) { _ = registered.load()?.sink(action) }
}
