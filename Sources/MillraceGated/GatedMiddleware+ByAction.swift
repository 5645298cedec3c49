// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension GatedMiddleware {
    /// Creates a middleware whose gate is moved by actions.
    ///
    /// - Parameters:
    ///   - middleware: The middleware behind the gate.
    ///   - controlActionMap: The function that returns the control value of an action, or nil for an ordinary action.
    ///     Called at every action.
    ///   - turnOn: The value that opens the gate.
    ///   - turnOff: The value that closes the gate.
    ///   - default: The state of the gate at the start.
    ///   - inFlight: The rule for outputs and effects under way when the gate closes.
    @preconcurrency
    @inlinable
    public init<Value: Equatable & SendableMetatype>(
        middleware: Base,
        controlActionMap: @escaping @Sendable (InputActionType) -> Value?,
        turnOn: Value,
        turnOff: Value,
        default: GateState,
        inFlight: InFlightPolicy = .dropOutputs
    ) {
        let control = Control.action(controlActionMap, turnOn: turnOn, turnOff: turnOff, Gate(`default`))
        self.init(middleware, control: control, inFlight: inFlight)
    }

    /// Creates a middleware whose gate is moved by actions, with a key path to the control value.
    @inlinable
    public init<Value: Equatable & SendableMetatype>(
        middleware: Base,
        controlAction: KeyPath<InputActionType, Value?>,
        turnOn: Value,
        turnOff: Value,
        default: GateState,
        inFlight: InFlightPolicy = .dropOutputs
    ) {
        self.init(
            middleware: middleware,
            controlActionMap: PathReader(controlAction).closure,
            turnOn: turnOn,
            turnOff: turnOff,
            default: `default`,
            inFlight: inFlight
        )
    }
}
