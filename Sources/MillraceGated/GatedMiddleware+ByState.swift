// SPDX-License-Identifier: Apache-2.0

import MillraceCore

extension GatedMiddleware {
    /// A middleware that is switched on and off by the state.
    ///
    /// - Parameters:
    ///   - middleware: What is gated.
    ///   - stateMap: Called at every action with the state before the reducers, and with the state after them once
    ///     there are outputs that may come later.
    ///   - inFlight: What becomes of works and effects when it closes.
    @preconcurrency
    @inlinable
    public init(
        middleware: Base,
        stateMap: @escaping @Sendable (StateType) -> GateState,
        inFlight: InFlightPolicy = .dropOutputs
    ) {
        self.init(middleware, control: .state(stateMap), inFlight: inFlight)
    }

    /// The same, by a key path.
    @inlinable
    public init(
        middleware: Base,
        state: KeyPath<StateType, GateState>,
        inFlight: InFlightPolicy = .dropOutputs
    ) {
        self.init(middleware, control: .state(state), inFlight: inFlight)
    }
}
