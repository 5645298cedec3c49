// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceCore

/// Runs the steps of a test: a state, and a queue of the actions that the middleware dispatched. No store.
final class StepRunner<M: MiddlewareProtocol> where M.InputActionType == M.OutputActionType {
    typealias Action = M.InputActionType
    typealias State = M.StateType

    private let middleware: M
    private let reducer: Reducer<Action, State>
    private let areEqual: (State, State) -> Bool
    private let cell: StepState<State>
    private let outputs = StepOutputs<Action>()
    private let getState: GetState<State>

    init(
        _ initialValue: State,
        _ reducer: Reducer<Action, State>,
        _ middleware: M,
        _ areEqual: @escaping (State, State) -> Bool
    ) {
        let cell = StepState(initialValue)
        self.cell = cell
        self.reducer = reducer
        self.areEqual = areEqual
        getState = { cell.value }
        self.middleware = middleware.bound(to: getState)
    }

    func run(_ steps: [Step<Action, State>], file: StaticString, line: UInt) {
        for step in steps {
            switch step {
            case .send(let send): run(send)
            case .receive(let receive): run(receive)
            case .sideEffectResult(let result): result.perform()
            }
        }
        let pending = outputs.pending
        if !pending.isEmpty {
            Self.fail(
                "At the end, \(pending.count) received actions were not handled by a Receive: \(Self.list(pending))",
                file,
                line
            )
        }
    }

    private func run(_ step: Send<Action, State>) {
        let pending = outputs.pending
        if !pending.isEmpty {
            Self.fail(
                "Action sent before \(pending.count) received actions were handled by a Receive: \(Self.list(pending))",
                step.file,
                step.line
            )
        }
        handle(step.action(), step.change, step.file, step.line)
    }

    private func run(_ step: Receive<Action, State>) {
        guard let action = outputs.next(waitingAtMost: 0.2) else {
            let expected = step.expected.map { ": expected '\(ValueLines.line(of: $0()))'" } ?? ""
            return Self.fail("No action was received\(expected)", step.file, step.line)
        }
        if !step.isExpected(action) {
            let difference = step.expected.map { "\n" + ValueDifference.text(expected: $0(), actual: action) } ?? ""
            Self.fail(
                "Another action was received than expected: '\(ValueLines.line(of: action))'\(difference)",
                step.file,
                step.line
            )
        }
        handle(action, step.change, step.file, step.line)
    }

    private func handle(_ action: Action, _ change: StateChange<State>, _ file: StaticString, _ line: UInt) {
        var expected = cell.value
        change.apply(&expected)
        let source = ActionSource(file: file, function: "steps", line: line)
        let output = AnyActionHandler<Action> { [outputs] in outputs.add($0.action) }
        let io = middleware.handle(action: action, from: source, state: getState)
        cell.change { reducer.reduce(action, &$0) }
        if middleware.hasAfterReduce {
            middleware.afterReduce(action: action, from: source, state: getState, output: output)
        }
        io.run(output)
        let actual = cell.value
        if areEqual(actual, expected) { return }
        Self.fail(
            "After '\(ValueLines.line(of: action))' the state is not as expected (- expected, + actual):\n"
                + ValueDifference.text(expected: expected, actual: actual),
            change.file,
            change.line
        )
    }

    private static func list(_ actions: [Action]) -> String {
        actions.map { "\n    \(ValueLines.line(of: $0))" }.joined()
    }

    private static func fail(_ message: String, _ file: StaticString, _ line: UInt) {
        SourcePlace(file, file, line, 1).fail(message)
    }
}

/// The state of a test. Effects may read it on any thread.
private final class StepState<State>: @unchecked Sendable {
    // Unchecked because of the lock; the lock may be held again by a reducer that reads the state.
    private let lock = NSRecursiveLock()
    private var current: State

    init(_ state: State) {
        current = state
    }

    var value: State { lock.withLock { current } }

    func change(_ body: (inout State) -> Void) {
        var state = value
        body(&state)
        lock.withLock { current = state }
    }
}

/// The actions that the middleware dispatched and no step has received. Any thread.
private final class StepOutputs<Action>: @unchecked Sendable {
    // Unchecked because of the condition's lock.
    private let condition = NSCondition()
    private var waiting: [Action] = []
    /// Whether any action was ever added.
    private var hasBegun = false

    func add(_ action: Action) {
        condition.withLock {
            waiting.append(action)
            hasBegun = true
            condition.broadcast()
        }
    }

    var pending: [Action] { condition.withLock { waiting } }

    /// Removes and returns the oldest action; nil if none waits. Waits only if no action was ever added.
    func next(waitingAtMost seconds: TimeInterval) -> Action? {
        condition.withLock {
            let end = Date(timeIntervalSinceNow: seconds)
            while !hasBegun, condition.wait(until: end) {}
            return waiting.isEmpty ? nil : waiting.removeFirst()
        }
    }
}
