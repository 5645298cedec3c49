// SPDX-License-Identifier: Apache-2.0

/// The state of the store in which ``MiddlewareRules`` checks a wrapper.
public struct RuleState: Sendable, Hashable {
    /// The number of actions that the reducer has handled.
    public var handled: UInt64 = 0
    /// The effects that have ended.
    public var ended = 0
    /// The number of the last `note`.
    public var note = 0

    /// Creates the state before the first action.
    public init() {}
}
