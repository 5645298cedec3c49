// SPDX-License-Identifier: Apache-2.0

public import Millrace

/// A handler that has been running for longer than its limit, and still was when this was made.
public struct SlowHandler: Sendable, Hashable, CustomStringConvertible {
    /// What runs: stage, middleware, kind, number and source of the action.
    public let handler: StuckHandler
    /// How long it has been running at least.
    public let runningFor: Duration
    /// Its limit.
    public let limit: Duration

    /// One line for a log.
    public var description: String { "\(handler) has been running for \(runningFor), the limit is \(limit)" }
}
