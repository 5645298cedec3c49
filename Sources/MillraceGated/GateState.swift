// SPDX-License-Identifier: Apache-2.0

/// Whether a gated middleware takes part: as a state, a control value, or in a file of settings.
public enum GateState: String, Sendable, Hashable, Codable, CaseIterable {
    /// It sees the actions.
    case active
    /// The actions pass it by.
    case bypass

    /// `active` for true.
    @inlinable
    public init(isOpen: Bool) {
        self = isOpen ? .active : .bypass
    }

    /// Whether it is `active`.
    @inlinable
    public var isOpen: Bool { self == .active }
}
