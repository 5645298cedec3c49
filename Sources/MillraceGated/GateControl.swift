// SPDX-License-Identifier: Apache-2.0

/// What moves a gate.
///
/// Not an enumeration with the closures in its cases: to take one out would retain it at every action. And an object,
/// so that a copy of the middleware retains one thing.
@usableFromInline
final class GateControl<Input, State>: Sendable {
    @usableFromInline
    enum Kind: Sendable {
        /// Whoever has the gate.
        case outside
        /// Actions, and whoever has the gate.
        case action
        /// The state: the gate is not looked at.
        case state
    }

    @usableFromInline let kind: Kind
    @usableFromInline let gate: Gate
    /// By action: what an action says.
    @usableFromInline let signal: @Sendable (Input) -> GateSignal
    /// By state: what the state says.
    @usableFromInline let stateIsOpen: @Sendable (State) -> Bool

    @inlinable
    init(
        _ kind: Kind,
        gate: Gate = Gate(),
        signal: @escaping @Sendable (Input) -> GateSignal = { _ in .none },
        stateIsOpen: @escaping @Sendable (State) -> Bool = { _ in true }
    ) {
        self.kind = kind
        self.gate = gate
        self.signal = signal
        self.stateIsOpen = stateIsOpen
    }

    /// Whether the gate is open at the time of each call; by state it is asked what the state then is.
    @usableFromInline
    func isOpen(_ state: @escaping @Sendable () -> State) -> @Sendable () -> Bool {
        let gate = gate
        guard kind == .state else { return { gate.isOpen } }
        let stateIsOpen = stateIsOpen
        return { stateIsOpen(state()) }
    }
}
