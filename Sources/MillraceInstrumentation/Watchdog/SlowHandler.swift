// SPDX-License-Identifier: Apache-2.0

public import Millrace

/// A handler that has been running for longer than its limit: it still was when this was made, or has just returned.
public struct SlowHandler: Sendable, Hashable, CustomStringConvertible {
    /// What runs: stage, middleware, kind, number and source of the action.
    public let handler: StuckHandler
    /// How long it has been running at least; once it has ended, how long it was seen to run: it took up to three
    /// quarters of the shortest limit more.
    public let runningFor: Duration
    /// Its limit.
    public let limit: Duration
    /// Whether it has returned: the last report of it.
    public let hasEnded: Bool

    /// One line for a log; a handler without a name is told with what gives it one.
    public var description: String {
        let isUnnamed = handler.stage == .handling && handler.middleware == nil
        return """
            \(handler) \(hasEnded ? "has ended, it ran" : "has been running") for \(runningFor), the limit is \(limit)\
            \(isUnnamed ? "; the middleware has no name, give it one with named(_:)" : "")
            """
    }
}
