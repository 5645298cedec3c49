// SPDX-License-Identifier: Apache-2.0

/// A state, and how many actions had been reduced when it was published.
///
/// A later state of the same store never has a smaller version: keep the version with a request, and drop the answer
/// when the store has moved on.
public struct VersionedState<StateType> {
    /// The state.
    public let state: StateType
    /// The number of actions reduced until then.
    public let version: UInt64

    /// A state of a known version.
    @inlinable
    public init(state: StateType, version: UInt64) {
        self.state = state
        self.version = version
    }
}

extension VersionedState: Sendable where StateType: Sendable {}
extension VersionedState: Equatable where StateType: Equatable {}
extension VersionedState: Hashable where StateType: Hashable {}
