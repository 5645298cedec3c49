// SPDX-License-Identifier: Apache-2.0

/// What a property test did.
public struct PropertyReport: Sendable, Hashable, CustomStringConvertible {
    /// The lists of actions that were run.
    public internal(set) var lists = 0
    /// The actions of all lists.
    public internal(set) var actions = 0

    /// One line: the numbers.
    public var description: String { "\(lists) lists, \(actions) actions" }
}
