// SPDX-License-Identifier: Apache-2.0

public import Millrace

/// The error of a ``StoreService`` whose store did not finish its actions, or their IOs and effects, before the deadline.
///
/// ```swift
/// do {
///     try await group.run()
/// } catch let error as StoreShutdownError {
///     if let stuck = error.report.stuckHandler { logger.critical("stuck: \(stuck)") }
/// }
/// ```
public struct StoreShutdownError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The report on the actions, on a stuck handler, and on threads that delay the end.
    public let report: ShutdownReport

    /// A text that says what happened, and what to do.
    public var description: String {
        let advice =
            if report.stuckHandler != nil {
                "Make the handler that is named as stuck return."
            } else if report.isComplete, report.dropped == 0, report.droppedHeld > 0 {
                "Give the service a longer deadline: the disk did not have the last actions in time."
            } else if report.isComplete {
                "Give the service a longer deadline, or the store a smaller capacity."
            } else if !report.readers.isEmpty {
                "Let the named threads leave withState."
            } else {
                "Run the queue of the store's engine until the store has ended."
            }
        return "a store did not finish its actions before the deadline: \(report). \(advice)"
    }
}
