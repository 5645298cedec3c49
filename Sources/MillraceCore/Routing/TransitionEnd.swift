// SPDX-License-Identifier: Apache-2.0

/// A condition on the value before or after a transition, for ``StateMachineMiddleware``.
public enum TransitionEnd<Value: Equatable> {
    /// Any value.
    case anything
    /// A value that equals this one.
    case value(Value)

    /// Whether a value meets the condition.
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
