// SPDX-License-Identifier: Apache-2.0

/// What a value has to be before or after a transition, for ``StateMachineMiddleware``.
public enum TransitionEnd<Value: Equatable> {
    /// Whatever it is.
    case anything
    /// Equal to this one.
    case value(Value)

    /// Whether a value will do.
    @inlinable
    public func matches(_ value: Value) -> Bool {
        switch self {
        case .anything: true
        case .value(let wanted): value == wanted
        }
    }
}

extension TransitionEnd: Sendable where Value: Sendable {}
extension TransitionEnd: Equatable {}
