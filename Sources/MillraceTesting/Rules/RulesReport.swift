// SPDX-License-Identifier: Apache-2.0

/// What ``MiddlewareRules`` checked.
public struct RulesReport: Sendable, Hashable, CustomStringConvertible {
    /// The rules, in the order in which they were checked, each with its schedules.
    public private(set) var rules: [Entry] = []

    /// A rule that holds.
    public struct Entry: Sendable, Hashable {
        /// The rule.
        public let rule: MiddlewareRule
        /// The schedules under which it holds.
        public let exploration: ExplorationReport
    }

    /// The number of all schedules.
    public var schedules: Int { rules.reduce(0) { $0 + $1.exploration.schedules } }

    /// One line for each rule.
    public var description: String {
        rules.map { "\($0.rule): \($0.exploration)" }.joined(separator: "\n")
    }

    mutating func note(_ rule: MiddlewareRule, _ exploration: ExplorationReport) {
        rules.append(Entry(rule: rule, exploration: exploration))
    }
}
