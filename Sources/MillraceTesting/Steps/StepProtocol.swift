// SPDX-License-Identifier: Apache-2.0

/// What may stand in the list of steps of `assert(initialValue:reducer:middleware:steps:)`: ``Send``, ``Receive``,
/// ``SideEffectResult``, ``Step``.
public protocol StepProtocol<ActionType, StateType> {
    /// The actions of the test.
    associatedtype ActionType
    /// The state of the test.
    associatedtype StateType

    /// This step, in the form that a list of steps holds.
    var asStep: Step<ActionType, StateType> { get }
}
