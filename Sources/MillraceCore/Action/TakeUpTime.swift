// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Finds the time at which the pipeline on the current thread took up its action.
///
/// The pipeline is in another module, so it registers here how it is asked. Lifts therefore need not carry the time.
package enum TakeUpTime {
    /// Returns the time of the action that a pipeline on this thread is handling; nil if there is no pipeline,
    /// and between two actions.
    package typealias Source = @Sendable () -> ActionTime?

    private final class Registered: Sendable {
        let source: Source

        init(_ source: @escaping Source) {
            self.source = source
        }
    }

    private static let registered = AtomicLazyReference<Registered>()

    /// Registers the source. The first call counts. Any thread.
    package static func register(_ source: @escaping Source) {
        _ = registered.storeIfNil(Registered(source))
    }

    /// The time of the action that is being handled; outside of a replay and of a pipeline the time now.
    package static var current: ActionTime { ofReplay ?? registered.load()?.source() ?? .now }
}
