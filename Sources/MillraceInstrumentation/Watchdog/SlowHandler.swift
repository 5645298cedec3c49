// SPDX-License-Identifier: Apache-2.0

public import Millrace
import MillraceCore

/// A handler that runs longer than its limit: it was still running when this report was made, or has just returned.
public struct SlowHandler: Sendable, Hashable, CustomStringConvertible {
    /// The running handler: stage, middleware, kind, number and source of the action.
    public let handler: StuckHandler
    /// The shortest time that the handler can have run. If it has ended, it may have run longer, by up to three
    /// quarters of the shortest limit.
    public let runningFor: Duration
    /// The limit of the handler.
    public let limit: Duration
    /// Whether the handler has returned. Then this is its last report.
    public let hasEnded: Bool

    /// One line for a log. For a middleware without a name, it says how to give it one.
    public var description: String {
        let isUnnamed = handler.stage == .handling && handler.middleware == nil
        return """
            \(handler): \(hasEnded ? "has ended, ran for at least" : "running for") \(Decimal.duration(runningFor)), \
            limit \(Decimal.duration(limit))\
            \(isUnnamed ? "; the middleware has no name, give it one with named(_:)" : "")
            """
    }
}
