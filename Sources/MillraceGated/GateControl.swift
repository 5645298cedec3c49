// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// The rule that opens and closes a gate.
///
/// Not an enumeration with the closures in its cases: taking one out would retain it at every action. It is an object,
/// so that a copy of the middleware retains one reference.
@usableFromInline
final class GateControl<Input, State>: Sendable {
    @usableFromInline
    enum Kind: Sendable {
        /// Only code that has the gate moves it.
        case outside
        /// Actions move the gate, and so does code that has it.
        case action
        /// The state decides; `gate` is not used.
        case state
    }

    @usableFromInline let kind: Kind
    @usableFromInline let gate: Gate
    /// By action: moves the gate if the action says so, and returns whether the middleware sees the action. One
    /// closure for both, as it is called at every action.
    @usableFromInline let admits: GateTest<Input>
    /// By state: returns whether the gate is open in a state.
    @usableFromInline let stateIsOpen: GateTest<State>
    /// By state: returns the same for a state in memory, without a copy of it.
    @usableFromInline let liveIsOpen: PlaceGateTest<State>

    @inlinable
    init(
        _ kind: Kind,
        gate: Gate = Gate(),
        admits: @escaping @Sendable (Input) -> Bool = { _ in true },
        stateIsOpen: @escaping @Sendable (State) -> Bool = { _ in true },
        liveIsOpen: @escaping @Sendable (UnsafePointer<State>) -> Bool = { _ in true }
    ) {
        self.kind = kind
        self.gate = gate
        self.admits = GateTest(admits)
        self.stateIsOpen = GateTest(stateIsOpen)
        self.liveIsOpen = PlaceGateTest(liveIsOpen)
    }

    /// Returns a closure that tests the gate whenever it is called. By state, the closure tests what the getter then
    /// returns.
    @usableFromInline
    func isOpen(_ state: @escaping @Sendable () -> State) -> @Sendable () -> Bool {
        let gate = gate
        guard kind == .state else { return { gate.isOpen } }
        return { self.stateIsOpen(state()) }
    }
}

// By action.
extension GateControl {
    /// Returns a control whose gate is opened by true and closed by false.
    @inlinable
    static func action(
        _ control: @escaping @Sendable (Input) -> Bool?,
        _ gate: Gate
    ) -> GateControl {
        GateControl(
            .action,
            gate: gate,
            admits: { action in
                guard let isOn = control(action) else { return gate.isOpen }
                gate.set(GateState(isOpen: isOn))
                return true
            }
        )
    }

    /// Returns a control whose gate is opened and closed by any two values. An action with a third value reaches the
    /// middleware and does not move the gate.
    @inlinable
    static func action<Value: Equatable & SendableMetatype>(
        _ control: @escaping @Sendable (Input) -> Value?,
        turnOn: Value,
        turnOff: Value,
        _ gate: Gate
    ) -> GateControl {
        // Unchecked: two values, which are only compared.
        let ends = Unchecked((on: turnOn, off: turnOff))
        return GateControl(
            .action,
            gate: gate,
            admits: { action in
                guard let value = control(action) else { return gate.isOpen }
                if value == ends.value.on { gate.open() } else if value == ends.value.off { gate.close() }
                return true
            }
        )
    }
}

// By state.
extension GateControl {
    @inlinable
    static func state(_ isOpen: @escaping @Sendable (State) -> Bool) -> GateControl {
        GateControl(.state, stateIsOpen: isOpen, liveIsOpen: { Borrowed.at($0, isOpen) })
    }

    @inlinable
    static func state(_ state: @escaping @Sendable (State) -> GateState) -> GateControl {
        GateControl(
            .state,
            stateIsOpen: { state($0).isOpen },
            liveIsOpen: { Borrowed.at($0, state).isOpen }
        )
    }

    /// Returns a control by a key path, which reads nothing of the state but its value.
    @inlinable
    static func state(_ path: KeyPath<State, Bool>) -> GateControl {
        let reader = PathReader(path)
        return GateControl(.state, stateIsOpen: { reader.read($0) }, liveIsOpen: { reader.read(at: $0) })
    }

    @inlinable
    static func state(_ path: KeyPath<State, GateState>) -> GateControl {
        let reader = PathReader(path)
        return GateControl(
            .state,
            stateIsOpen: { reader.read($0).isOpen },
            liveIsOpen: { reader.read(at: $0).isOpen }
        )
    }
}
