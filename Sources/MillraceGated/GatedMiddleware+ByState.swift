// SPDX-License-Identifier: Apache-2.0

import MillraceCore

extension GatedMiddleware {
    /// Creates a middleware that is switched on and off by the state.
    ///
    /// - Parameters:
    ///   - middleware: The middleware behind the gate.
    ///   - stateMap: The function that returns the gate's state. Called at every action with the state before the
    ///     reducers. Once there are outputs or effects that may come later, also called with the state after the
    ///     reducers.
    ///   - inFlight: The rule for outputs and effects under way when the gate closes.
    @preconcurrency
    @inlinable
    public init(
        middleware: Base,
        stateMap: @escaping @Sendable (StateType) -> GateState,
        inFlight: InFlightPolicy = .dropOutputs
    ) {
        self.init(middleware, control: .state(stateMap), inFlight: inFlight)
    }

    /// Creates a middleware that is switched on and off by the state at a key path.
    @inlinable
    public init(
        middleware: Base,
        state: KeyPath<StateType, GateState>,
        inFlight: InFlightPolicy = .dropOutputs
    ) {
        self.init(middleware, control: .state(state), inFlight: inFlight)
    }
}
