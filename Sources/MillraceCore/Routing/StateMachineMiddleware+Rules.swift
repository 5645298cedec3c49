// SPDX-License-Identifier: Apache-2.0

extension StateMachineMiddleware {
    /// Dispatches an action when a part of the state changes from a value that fulfils `from` to a value that fulfils
    /// `to`.
    ///
    /// - Parameters:
    ///   - path: The part of the state. A stored property costs nothing; other key paths are evaluated at every action.
    ///   - from: The condition on the value before the reducers.
    ///   - to: The condition on the value after the reducers.
    ///   - dispatch: The action, which is created when the transition takes place.
    ///   - file: The file that contains the rule, for the `info` of the dispatched actions.
    ///   - line: The line of the rule in that file.
    @preconcurrency
    @inlinable
    public func when<Value: Equatable & Sendable>(
        _ path: KeyPath<StateType, Value>,
        from: TransitionEnd<Value> = .anything,
        to: TransitionEnd<Value> = .anything,
        dispatch: @autoclosure @escaping @Sendable () -> OutputActionType,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> StateMachineMiddleware {
        let value = PathReader(path)
        let note = ActionSource.note("transition", file: file, line: line)
        var machine = self
        machine.rules.append(
            Rule(note: note) { Watch(value, from: from, to: to, dispatch: dispatch) }
        )
        return machine
    }

    /// Dispatches an action when a part of the state changes from one value to another.
    @preconcurrency
    @inlinable
    public func when<Value: Equatable & Sendable>(
        _ path: KeyPath<StateType, Value>,
        from: Value,
        to: Value,
        dispatch: @autoclosure @escaping @Sendable () -> OutputActionType,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> StateMachineMiddleware {
        when(path, from: .value(from), to: .value(to), dispatch: dispatch(), file: file, line: line)
    }
}

extension StateMachineMiddleware where StateType: Equatable & Sendable {
    /// Dispatches an action when the state changes from a value that fulfils `from` to a value that fulfils `to`.
    @preconcurrency
    @inlinable
    public func when(
        from: TransitionEnd<StateType> = .anything,
        to: TransitionEnd<StateType> = .anything,
        dispatch: @autoclosure @escaping @Sendable () -> OutputActionType,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> StateMachineMiddleware {
        when(\.self, from: from, to: to, dispatch: dispatch(), file: file, line: line)
    }

    /// Dispatches an action when the state changes from one value to another.
    @preconcurrency
    @inlinable
    public func when(
        from: StateType,
        to: StateType,
        dispatch: @autoclosure @escaping @Sendable () -> OutputActionType,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> StateMachineMiddleware {
        when(\.self, from: .value(from), to: .value(to), dispatch: dispatch(), file: file, line: line)
    }
}
