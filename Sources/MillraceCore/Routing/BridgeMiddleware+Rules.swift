// SPDX-License-Identifier: Apache-2.0

extension BridgeMiddleware {
    @inlinable
    func adding(_ rule: Rule) -> BridgeMiddleware {
        var bridge = self
        bridge.rules.append(rule)
        return bridge
    }

    /// Dispatches what `mapping` makes of an action, if it makes something and `predicate` holds of the state after the
    /// reducers.
    ///
    /// - Parameters:
    ///   - mapping: What to dispatch; nil for nothing.
    ///   - predicate: Looked at only if `mapping` gives something. Default: always.
    ///   - file: Where the rule is written, for the `info` of what it dispatches.
    ///   - line: The line in that file.
    @preconcurrency
    @inlinable
    public func bridge(
        _ mapping: @escaping @Sendable (InputActionType) -> OutputActionType?,
        when predicate: (@Sendable (StateType) -> Bool)? = nil,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> BridgeMiddleware {
        let rule = Rule(note: ActionSource.note("bridged", file: file, line: line)) { state in
            guard let predicate else { return mapping }
            return { action in
                guard let output = mapping(action), predicate(state()) else { return nil }
                return output
            }
        }
        return adding(rule)
    }

    /// Dispatches what `mapping` makes of an action and the state after the reducers.
    ///
    /// It reads the state at every action: where the state only decides whether to dispatch, `when` is cheaper.
    @preconcurrency
    @inlinable
    public func bridgeWithState(
        _ mapping: @escaping @Sendable (InputActionType, StateType) -> OutputActionType?,
        when predicate: (@Sendable (StateType) -> Bool)? = nil,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> BridgeMiddleware {
        let rule = Rule(note: ActionSource.note("bridged", file: file, line: line)) { state in
            { action in
                let state = state()
                guard let output = mapping(action, state), predicate?(state) ?? true else { return nil }
                return output
            }
        }
        return adding(rule)
    }

    /// Dispatches what `dispatch` makes of the value that is found in an action.
    ///
    /// ```swift
    /// bridge.bridge(on: \.auth?.loggedIn, dispatch: { user in .list(.load(user)) })
    /// ```
    @preconcurrency
    @inlinable
    public func bridge<Value>(
        on value: @escaping @Sendable (InputActionType) -> Value?,
        dispatch: @escaping @Sendable (Value) -> OutputActionType?,
        when predicate: (@Sendable (StateType) -> Bool)? = nil,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> BridgeMiddleware {
        bridge({ action in value(action).flatMap(dispatch) }, when: predicate, file: file, line: line)
    }

    /// The same, for a key path that is a value; a literal is better used as the closure it stands for.
    @_disfavoredOverload
    @preconcurrency
    @inlinable
    public func bridge<Value>(
        on value: KeyPath<InputActionType, Value?>,
        dispatch: @escaping @Sendable (Value) -> OutputActionType?,
        when predicate: (@Sendable (StateType) -> Bool)? = nil,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> BridgeMiddleware {
        bridge(on: PathReader(value).closure, dispatch: dispatch, when: predicate, file: file, line: line)
    }

    /// Dispatches an action when another one, which carries no value, is found.
    ///
    /// ```swift
    /// bridge.bridge(on: \.auth?.loggedOut, dispatch: .list(.clear))
    /// ```
    @preconcurrency
    @inlinable
    public func bridge(
        on isFound: @escaping @Sendable (InputActionType) -> Void?,
        dispatch: @autoclosure @escaping @Sendable () -> OutputActionType,
        when predicate: (@Sendable (StateType) -> Bool)? = nil,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> BridgeMiddleware {
        bridge({ action in isFound(action).map { dispatch() } }, when: predicate, file: file, line: line)
    }

    /// The same, for a key path that is a value; a literal is better used as the closure it stands for.
    @_disfavoredOverload
    @preconcurrency
    @inlinable
    public func bridge(
        on isFound: KeyPath<InputActionType, Void?>,
        dispatch: @autoclosure @escaping @Sendable () -> OutputActionType,
        when predicate: (@Sendable (StateType) -> Bool)? = nil,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> BridgeMiddleware {
        bridge(on: PathReader(isFound).closure, dispatch: dispatch(), when: predicate, file: file, line: line)
    }
}
