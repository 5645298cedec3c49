// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension GatedMiddleware {
    /// A middleware whose gate is moved by actions.
    ///
    /// - Parameters:
    ///   - middleware: What is gated.
    ///   - controlActionMap: The control value of an action, or nil if it is an ordinary one. Called at every action.
    ///   - turnOn: The value that opens the gate.
    ///   - turnOff: The value that closes it.
    ///   - default: What the gate is at the start.
    ///   - inFlight: What becomes of works and effects when it closes.
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

    /// The same, by a key path.
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
