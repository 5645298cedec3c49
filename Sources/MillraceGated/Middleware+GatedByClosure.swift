// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

// `stateMap:` under the label of the key paths. Disfavoured: for a key path literal the compiler takes the functions
// for key paths, which read the value at its place.
extension MiddlewareProtocol {
    /// Puts this middleware behind a gate that is open while the closure returns `active` for the state.
    @_disfavoredOverload
    @preconcurrency
    @inlinable
    public func gated(
        state: @escaping @Sendable (StateType) -> GateState,
        inFlight: InFlightPolicy = .dropOutputs
    ) -> GatedMiddleware<Self> {
        gated(stateMap: state, inFlight: inFlight)
    }

    /// Puts this middleware behind a gate that is open while the closure returns true for the state.
    @_disfavoredOverload
    @preconcurrency
    @inlinable
    public func gated(
        state: @escaping @Sendable (StateType) -> Bool,
        inFlight: InFlightPolicy = .dropOutputs
    ) -> GatedMiddleware<Self> {
        gated(stateMap: state, inFlight: inFlight)
    }
}
