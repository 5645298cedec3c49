// SPDX-License-Identifier: Apache-2.0

/// A step of a test, of any kind.
public enum Step<ActionType, StateType>: StepProtocol {
    /// Dispatches an action.
    case send(Send<ActionType, StateType>)
    /// Takes an action that the middleware dispatched.
    case receive(Receive<ActionType, StateType>)
    /// Calls a closure.
    case sideEffectResult(SideEffectResult<ActionType, StateType>)

    /// This step.
    public var asStep: Step<ActionType, StateType> { self }
}
