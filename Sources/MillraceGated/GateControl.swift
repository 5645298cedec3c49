// SPDX-License-Identifier: Apache-2.0

import MillraceCore

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
    /// By action: moves the gate if the action says so, and tells whether the action is let in. One closure, as it is
    /// called at every action.
    @usableFromInline let admits: Borrowed<@Sendable (Input) -> Bool>
    /// By state: what the state says.
    @usableFromInline let stateIsOpen: Borrowed<@Sendable (State) -> Bool>
    /// The same of a state that stays where it is.
    @usableFromInline let liveIsOpen: Borrowed<@Sendable (UnsafePointer<State>) -> Bool>

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
        self.admits = Borrowed(admits)
        self.stateIsOpen = Borrowed(stateIsOpen)
        self.liveIsOpen = Borrowed(liveIsOpen)
    }

    /// Whether the gate is open at the time of each call; by state it is asked what the state then is.
    @usableFromInline
    func isOpen(_ state: @escaping @Sendable () -> State) -> @Sendable () -> Bool {
        let gate = gate
        guard kind == .state else { return { gate.isOpen } }
        return { self.stateIsOpen.read { $0(state()) } }
    }
}

// By action.
extension GateControl {
    /// A gate that is opened by true and closed by false.
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

    /// A gate that is opened and closed by any two values; a third one passes, and moves nothing.
    @inlinable
    static func action<Value: Equatable & SendableMetatype>(
        _ control: @escaping @Sendable (Input) -> Value?,
        turnOn: Value,
        turnOff: Value,
        _ gate: Gate
    ) -> GateControl {
        // The two are values, which are only compared.
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

    /// By a key path, of whose value nothing else is read.
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
