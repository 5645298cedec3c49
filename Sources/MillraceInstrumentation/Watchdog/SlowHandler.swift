// SPDX-License-Identifier: Apache-2.0

public import Millrace

/// A handler that runs longer than its limit: it was still running when this report was made, or has just returned.
public struct SlowHandler: Sendable, Hashable, CustomStringConvertible {
    /// The running handler: stage, middleware, kind, number and source of the action.
    public let handler: StuckHandler
    /// The time that the handler has been running at least. If it has ended, the time for which it was seen running: in
    /// fact it ran for up to three quarters of the shortest limit more.
    public let runningFor: Duration
    /// The limit of the handler.
    public let limit: Duration
    /// Whether the handler has returned. Then this is its last report.
    public let hasEnded: Bool

    /// One line for a log. For a middleware without a name, it says how to give it one.
    public var description: String {
        let isUnnamed = handler.stage == .handling && handler.middleware == nil
        return """
            \(handler) \(hasEnded ? "has ended, it ran" : "has been running") for \(runningFor), the limit is \(limit)\
            \(isUnnamed ? "; the middleware has no name, give it one with named(_:)" : "")
            """
    }
}
