// SPDX-License-Identifier: Apache-2.0

public import Millrace

/// The error of a ``StoreService`` whose store did not finish its actions before the deadline.
///
/// ```swift
/// do {
///     try await group.run()
/// } catch let error as StoreShutdownError {
///     if let stuck = error.report.stuckHandler { logger.critical("stuck: \(stuck)") }
/// }
/// ```
public struct StoreShutdownError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The report on the actions and on a stuck handler.
    public let report: ShutdownReport

    /// A text that says what happened, and what to do.
    public var description: String {
        let advice =
            switch report.stuckHandler {
            case .some: "make what is named as stuck return"
            case nil where report.isComplete: "give the service a longer deadline, or the store a smaller capacity"
            case nil: "run the queue of the store's engine until the store has ended"
            }
        return "a store did not finish its actions before the deadline: \(report). To mend it, \(advice)."
    }
}
