// SPDX-License-Identifier: Apache-2.0

/// Whether a gated middleware sees actions: as a part of the state, a control value, or a setting in a file.
public enum GateState: String, Sendable, Hashable, Codable, CaseIterable {
    /// The middleware sees the actions.
    case active
    /// The middleware does not see the actions.
    case bypass

    /// Creates `active` from true, `bypass` from false.
    @inlinable
    public init(isOpen: Bool) {
        self = isOpen ? .active : .bypass
    }

    /// Whether the state is `active`.
    @inlinable
    public var isOpen: Bool { self == .active }
}
