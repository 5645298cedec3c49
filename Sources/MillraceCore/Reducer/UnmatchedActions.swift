// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Tells the pipeline on the current thread of actions whose element a lifted reducer did not find.
///
/// The pipeline, which is in another module, registers a closure here. So lifts need no reference to their store.
package enum UnmatchedActions {
    /// With nil: counts the action that is being reduced. With a report: passes it to the store's handler. Returns
    /// whether there is a handler; false if a middleware, and not a pipeline, runs the reducer.
    package typealias Sink = @Sendable (UnmatchedAction?) -> Bool

    private final class Registered: Sendable {
        let sink: Sink

        init(_ sink: @escaping Sink) {
            self.sink = sink
        }
    }

    private static let registered = AtomicLazyReference<Registered>()

    /// Registers the sink. Only the first call has an effect. Any thread.
    package static func register(_ sink: @escaping Sink) {
        _ = registered.storeIfNil(Registered(sink))
    }

    /// Counts the action that is being reduced. Returns whether the store wants reports.
    static func count() -> Bool { registered.load()?.sink(nil) ?? false }

    /// Passes a report to the store's handler.
    static func report(_ action: UnmatchedAction) { _ = registered.load()?.sink(action) }
}
