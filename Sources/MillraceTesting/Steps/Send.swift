// SPDX-License-Identifier: Apache-2.0

/// A step that gives an action to the middleware and to the reducer, and compares the state.
///
/// ```swift
/// Send(action: .increment) { $0.count = 1 }
/// ```
///
/// The step fails if an action of the middleware waits for a ``Receive``.
public struct Send<ActionType, StateType>: StepProtocol {
    let action: () -> ActionType
    let change: StateChange<StateType>
    let file: StaticString
    let line: UInt

    /// Creates a step.
    ///
    /// - Parameters:
    ///   - action: The action, made when the step runs.
    ///   - file: The file of the step; the middleware gets it as the action's source.
    ///   - fileForStateMutation: The file in which a failure of the state is reported.
    ///   - line: The line of the step.
    ///   - lineForStateMutation: The line at which a failure of the state is reported.
    ///   - stateChange: Changes the state before the step into the expected one. Default: no change.
    public init(
        action: @autoclosure @escaping () -> ActionType,
        file: StaticString = #filePath,
        fileForStateMutation: StaticString = #filePath,
        line: UInt = #line,
        lineForStateMutation: UInt = #line,
        stateChange: @escaping (inout StateType) -> Void = { _ in }
    ) {
        self.init(action, StateChange(stateChange, fileForStateMutation, lineForStateMutation), file, line)
    }

    private init(
        _ action: @escaping () -> ActionType,
        _ change: StateChange<StateType>,
        _ file: StaticString,
        _ line: UInt
    ) {
        self.action = action
        self.change = change
        self.file = file
        self.line = line
    }

    /// Returns the same step with another expected change of the state.
    public func expectStateToHaveChanged(
        _ expectedMutation: @escaping (inout StateType) -> Void = { _ in },
        file: StaticString = #filePath,
        line: UInt = #line
    ) -> Send {
        Send(action, StateChange(expectedMutation, file, line), self.file, self.line)
    }

    /// This step, in the form that a list of steps holds.
    public var asStep: Step<ActionType, StateType> { .send(self) }
}

/// The change of the state that a step declares, with its place in the source.
struct StateChange<State> {
    let apply: (inout State) -> Void
    let file: StaticString
    let line: UInt

    init(_ apply: @escaping (inout State) -> Void, _ file: StaticString, _ line: UInt) {
        self.apply = apply
        self.file = file
        self.line = line
    }
}
