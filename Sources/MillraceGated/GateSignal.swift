// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// What an action is to a gate.
@usableFromInline
enum GateSignal: Sendable {
    /// None of its control actions: it passes when the gate is open.
    case none
    /// Passes, and opens the gate before.
    case open
    /// Passes, and closes the gate before.
    case close
    /// A control action with a value that says neither: it passes.
    case other

    /// Finds the signal in an action; one closure, as it is called at every action.
    @inlinable
    static func finding<Input>(
        _ control: @escaping @Sendable (Input) -> Bool?
    ) -> @Sendable (Input) -> GateSignal {
        { action in
            guard let isOn = control(action) else { return .none }
            return isOn ? .open : .close
        }
    }

    /// The same for any two values.
    @inlinable
    static func finding<Input, Value: Equatable & SendableMetatype>(
        _ control: @escaping @Sendable (Input) -> Value?,
        turnOn: Value,
        turnOff: Value
    ) -> @Sendable (Input) -> GateSignal {
        // The two are values, which are only compared.
        let ends = Unchecked((on: turnOn, off: turnOff))
        return { action in
            guard let value = control(action) else { return .none }
            return value == ends.value.on ? .open : value == ends.value.off ? .close : .other
        }
    }
}
