// SPDX-License-Identifier: Apache-2.0

/// A state, and the number of actions that had been reduced when it was published.
///
/// A later state of the same store never has a smaller version. For example, keep the version with a request, and
/// ignore the response if the store has a later version.
public struct VersionedState<StateType> {
    /// The state.
    public let state: StateType
    /// The number of actions reduced before the state was published.
    public let version: UInt64

    /// Creates a state with its version.
    @inlinable
    public init(state: StateType, version: UInt64) {
        self.state = state
        self.version = version
    }
}

extension VersionedState: Sendable where StateType: Sendable {}
extension VersionedState: Equatable where StateType: Equatable {}
extension VersionedState: Hashable where StateType: Hashable {}
