// SPDX-License-Identifier: Apache-2.0

/// A step that calls a closure, for example to complete a mock or to move a clock.
///
/// ```swift
/// SideEffectResult { api.finish(with: .success(3)) }
/// ```
public struct SideEffectResult<ActionType, StateType>: StepProtocol {
    let perform: () -> Void

    /// Creates a step.
    public init(do perform: @escaping () -> Void) {
        self.perform = perform
    }

    /// This step, in the form that a list of steps holds.
    public var asStep: Step<ActionType, StateType> { .sideEffectResult(self) }
}
