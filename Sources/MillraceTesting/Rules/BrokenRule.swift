// SPDX-License-Identifier: Apache-2.0

/// A rule that a middleware breaks, and the schedule under which it does.
public struct BrokenRule: Error, Sendable, CustomStringConvertible {
    /// The rule.
    public let rule: MiddlewareRule
    /// The shortest schedule that was found, the seed, and the command that runs the seed again. The reason of the
    /// schedule says what happened.
    public let schedule: ScheduleFailure

    /// The rule, what happened, the steps and the command.
    public var description: String {
        // Nothing was run.
        if schedule.foundAfter == 0 { return "The rules cannot be checked: \(schedule)" }
        return "The middleware breaks the rule '\(rule)':\n\(schedule)"
    }
}

/// What happened, in words.
struct RuleViolation: Error, CustomStringConvertible {
    let description: String
    /// The same for violations of the same rule.
    let kind: String

    init(_ description: String, kind: String = "a rule of middlewares") {
        self.description = description
        self.kind = kind
    }
}
