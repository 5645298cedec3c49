// SPDX-License-Identifier: Apache-2.0

/// A step that takes the oldest action that the middleware dispatched, gives it to the middleware and to the reducer,
/// and compares the state.
///
/// ```swift
/// Receive(action: .loaded(3)) { $0.items = 3 }
/// ```
///
/// Until the middleware has dispatched its first action of the test, the step blocks for up to 0.2 seconds to wait for
/// it. After that the step does not wait: it fails if no action waits.
public struct Receive<ActionType, StateType>: StepProtocol {
    let isExpected: (ActionType) -> Bool
    /// The expected action; nil if a closure recognises it.
    let expected: (() -> ActionType)?
    let change: StateChange<StateType>
    let file: StaticString
    let line: UInt

    /// Creates a step for an action that a closure recognises.
    ///
    /// - Parameters:
    ///   - isExpectedAction: Returns whether the action is the expected one.
    ///   - file: The file of the step; the middleware gets it as the action's source.
    ///   - fileForStateMutation: The file in which a failure of the state is reported.
    ///   - line: The line of the step.
    ///   - lineForStateMutation: The line at which a failure of the state is reported.
    ///   - stateChange: Changes the state before the step into the expected one. Default: no change.
    public init(
        isExpectedAction: @escaping (ActionType) -> Bool,
        file: StaticString = #filePath,
        fileForStateMutation: StaticString = #filePath,
        line: UInt = #line,
        lineForStateMutation: UInt = #line,
        stateChange: @escaping (inout StateType) -> Void = { _ in }
    ) {
        let change = StateChange(stateChange, fileForStateMutation, lineForStateMutation)
        self.init(isExpectedAction, nil, change, file, line)
    }

    /// Creates a step for an action that equals a given one, which is made when the step runs.
    public init(
        action: @autoclosure @escaping () -> ActionType,
        file: StaticString = #filePath,
        fileForStateMutation: StaticString = #filePath,
        line: UInt = #line,
        lineForStateMutation: UInt = #line,
        stateChange: @escaping (inout StateType) -> Void = { _ in }
    ) where ActionType: Equatable {
        let change = StateChange(stateChange, fileForStateMutation, lineForStateMutation)
        self.init({ $0 == action() }, action, change, file, line)
    }

    private init(
        _ isExpected: @escaping (ActionType) -> Bool,
        _ expected: (() -> ActionType)?,
        _ change: StateChange<StateType>,
        _ file: StaticString,
        _ line: UInt
    ) {
        self.isExpected = isExpected
        self.expected = expected
        self.change = change
        self.file = file
        self.line = line
    }

    /// Returns the same step with another expected change of the state.
    public func expectStateToHaveChanged(
        _ expectedMutation: @escaping (inout StateType) -> Void = { _ in },
        file: StaticString = #filePath,
        line: UInt = #line
    ) -> Receive {
        Receive(isExpected, expected, StateChange(expectedMutation, file, line), self.file, self.line)
    }

    /// This step, in the form that a list of steps holds.
    public var asStep: Step<ActionType, StateType> { .receive(self) }
}
