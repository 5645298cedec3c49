// SPDX-License-Identifier: Apache-2.0

/// What a property test did.
public struct PropertyReport: Sendable, Hashable, CustomStringConvertible {
    /// The number of lists of actions that were run.
    public internal(set) var lists = 0
    /// The number of actions in all lists.
    public internal(set) var actions = 0

    /// One line: the numbers.
    public var description: String { "\(lists) lists, \(actions) actions" }
}
