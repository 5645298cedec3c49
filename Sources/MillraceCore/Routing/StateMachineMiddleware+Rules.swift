// SPDX-License-Identifier: Apache-2.0

extension StateMachineMiddleware {
    /// Dispatches an action when a part of the state changes, from what `from` says to what `to` says.
    ///
    /// - Parameters:
    ///   - path: The part; a stored property costs nothing, other key paths are walked at every action.
    ///   - from: What it was before the reducers.
    ///   - to: What it is after them.
    ///   - dispatch: The action; made when the transition takes place.
    ///   - file: Where the rule is written, for the `info` of what it dispatches.
    ///   - line: The line in that file.
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
    /// Dispatches an action when the state changes, from what `from` says to what `to` says.
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
