// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

// GatedMiddleware documents the result of all these functions, and `inFlight`.

extension MiddlewareProtocol {
    /// Puts this middleware behind a gate that other code flips. One gate may stand before several middlewares.
    @inlinable
    public func gated(by gate: Gate, inFlight: InFlightPolicy = .dropOutputs) -> GatedMiddleware<Self> {
        GatedMiddleware(self, control: GateControl(.outside, gate: gate), inFlight: inFlight)
    }
}

// By action.
extension MiddlewareProtocol {
    /// Puts this middleware behind a gate that is opened and closed by two values in actions.
    @preconcurrency
    @inlinable
    public func gated<Value: Equatable & SendableMetatype>(
        controlActionMap: @escaping @Sendable (InputActionType) -> Value?,
        turnOn: Value,
        turnOff: Value,
        default: GateState = .active,
        inFlight: InFlightPolicy = .dropOutputs
    ) -> GatedMiddleware<Self> {
        GatedMiddleware(
            middleware: self,
            controlActionMap: controlActionMap,
            turnOn: turnOn,
            turnOff: turnOff,
            default: `default`,
            inFlight: inFlight
        )
    }

    /// Puts this middleware behind a gate that is opened and closed by two values at a key path in actions.
    @inlinable
    public func gated<Value: Equatable & SendableMetatype>(
        controlAction: KeyPath<InputActionType, Value?>,
        turnOn: Value,
        turnOff: Value,
        default: GateState = .active,
        inFlight: InFlightPolicy = .dropOutputs
    ) -> GatedMiddleware<Self> {
        GatedMiddleware(
            middleware: self,
            controlAction: controlAction,
            turnOn: turnOn,
            turnOff: turnOff,
            default: `default`,
            inFlight: inFlight
        )
    }

    /// Puts this middleware behind a gate that is opened by true in an action, and closed by false.
    @preconcurrency
    @inlinable
    public func gated(
        controlActionMap: @escaping @Sendable (InputActionType) -> Bool?,
        default: GateState = .active,
        inFlight: InFlightPolicy = .dropOutputs
    ) -> GatedMiddleware<Self> {
        GatedMiddleware(self, control: .action(controlActionMap, Gate(`default`)), inFlight: inFlight)
    }

    /// Puts this middleware behind a gate that is opened by true at a key path in an action, and closed by false.
    @inlinable
    public func gated(
        controlAction: KeyPath<InputActionType, Bool?>,
        default: GateState = .active,
        inFlight: InFlightPolicy = .dropOutputs
    ) -> GatedMiddleware<Self> {
        gated(controlActionMap: PathReader(controlAction).closure, default: `default`, inFlight: inFlight)
    }

    /// Puts this middleware behind a gate that takes its state from actions.
    @preconcurrency
    @inlinable
    public func gated(
        controlActionMap: @escaping @Sendable (InputActionType) -> GateState?,
        default: GateState = .active,
        inFlight: InFlightPolicy = .dropOutputs
    ) -> GatedMiddleware<Self> {
        gated(
            controlActionMap: controlActionMap,
            turnOn: .active,
            turnOff: .bypass,
            default: `default`,
            inFlight: inFlight
        )
    }

    /// Puts this middleware behind a gate that takes its state from a key path in actions.
    @inlinable
    public func gated(
        controlAction: KeyPath<InputActionType, GateState?>,
        default: GateState = .active,
        inFlight: InFlightPolicy = .dropOutputs
    ) -> GatedMiddleware<Self> {
        gated(controlAction: controlAction, turnOn: .active, turnOff: .bypass, default: `default`, inFlight: inFlight)
    }
}

// By state.
extension MiddlewareProtocol {
    /// Puts this middleware behind a gate that is open while the state map returns `active`.
    @preconcurrency
    @inlinable
    public func gated(
        stateMap: @escaping @Sendable (StateType) -> GateState,
        inFlight: InFlightPolicy = .dropOutputs
    ) -> GatedMiddleware<Self> {
        GatedMiddleware(middleware: self, stateMap: stateMap, inFlight: inFlight)
    }

    /// Puts this middleware behind a gate that is open while the state map returns true.
    @preconcurrency
    @inlinable
    public func gated(
        stateMap: @escaping @Sendable (StateType) -> Bool,
        inFlight: InFlightPolicy = .dropOutputs
    ) -> GatedMiddleware<Self> {
        GatedMiddleware(self, control: .state(stateMap), inFlight: inFlight)
    }

    /// Puts this middleware behind a gate that is open while the value at a key path in the state is `active`.
    @inlinable
    public func gated(
        state: KeyPath<StateType, GateState>,
        inFlight: InFlightPolicy = .dropOutputs
    ) -> GatedMiddleware<Self> {
        GatedMiddleware(middleware: self, state: state, inFlight: inFlight)
    }

    /// Puts this middleware behind a gate that is open while the value at a key path in the state is true.
    @inlinable
    public func gated(
        state: KeyPath<StateType, Bool>,
        inFlight: InFlightPolicy = .dropOutputs
    ) -> GatedMiddleware<Self> {
        GatedMiddleware(self, control: .state(state), inFlight: inFlight)
    }
}
