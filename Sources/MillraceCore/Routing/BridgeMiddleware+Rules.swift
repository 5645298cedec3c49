// SPDX-License-Identifier: Apache-2.0

extension BridgeMiddleware {
    @inlinable
    func adding(_ rule: Rule) -> BridgeMiddleware {
        var bridge = self
        bridge.rules.append(rule)
        return bridge
    }

    /// Dispatches the result of `mapping` if it is not nil and `predicate` is true for the state after the reducers.
    ///
    /// - Parameters:
    ///   - mapping: The function that returns the action to dispatch, or nil.
    ///   - predicate: A condition on the state, evaluated only if `mapping` returns an action. Default: always true.
    ///   - file: The file that contains the rule, for the `info` of the dispatched actions.
    ///   - line: The line of the rule in that file.
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
                guard let output = mapping(action), state.withState({ predicate($0) }) else { return nil }
                return output
            }
        }
        return adding(rule)
    }

    /// Dispatches the result of `mapping` for an action and the state after the reducers.
    ///
    /// It reads the state at every action. If the state only decides whether to dispatch, `when` is cheaper.
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
                state.withState { state in
                    guard let output = mapping(action, state), predicate?(state) ?? true else { return nil }
                    return output
                }
            }
        }
        return adding(rule)
    }

    /// Dispatches the result of `dispatch` for the value that `value` finds in an action.
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

    /// Overload for a key path value. A key path literal selects the overload that takes a closure.
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

    /// Dispatches an action when `isFound` finds another action, which carries no value.
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

    /// Overload for a key path value. A key path literal selects the overload that takes a closure.
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
