// SPDX-License-Identifier: Apache-2.0

import MillraceCore

// For wrappers that receive the location of a call as `String`s, such as `file: String = #file`.
extension Effect {
    /// Returns an effect that dispatches one action. The action's source is given as `String`s.
    @_disfavoredOverload
    public static func just(
        _ value: OutputAction,
        file: String = #fileID,
        function: String = #function,
        line: UInt = #line,
        info: String? = nil
    ) -> Effect {
        just(value, from: ActionSource(file: file, function: function, line: line, info: info))
    }

    /// Returns an effect that dispatches one action, which a closure makes when the effect is started. The action's
    /// source is given as `String`s.
    @_disfavoredOverload
    @preconcurrency
    public static func just(
        _ upstream: @escaping @Sendable (Context) -> OutputAction,
        file: String = #fileID,
        function: String = #function,
        line: UInt = #line,
        info: String? = nil
    ) -> Effect {
        just(from: ActionSource(file: file, function: function, line: line, info: info), upstream)
    }

    /// Returns an effect that dispatches several actions, in order. Their source is given as `String`s.
    @_disfavoredOverload
    public static func sequence(
        _ values: OutputAction...,
        file: String = #fileID,
        function: String = #function,
        line: UInt = #line,
        info: String? = nil
    ) -> Effect {
        sequence(values, from: ActionSource(file: file, function: function, line: line, info: info))
    }

    /// Returns an effect that dispatches several actions, in order. Their source is given as `String`s. With an empty
    /// array the effect starts and completes without an action.
    @_disfavoredOverload
    public static func sequence(
        _ values: [OutputAction],
        file: String = #fileID,
        function: String = #function,
        line: UInt = #line,
        info: String? = nil
    ) -> Effect {
        sequence(values, from: ActionSource(file: file, function: function, line: line, info: info))
    }

    /// Returns an effect that dispatches one action, which a callback delivers. The action's source is given as
    /// `String`s.
    @_disfavoredOverload
    @preconcurrency
    public static func promise<Token: Hashable & Sendable>(
        token: Token,
        file: String = #fileID,
        function: String = #function,
        line: UInt = #line,
        info: String? = nil,
        perform: @escaping @Sendable (Context, @escaping @Sendable (OutputAction) -> Void) -> Void
    ) -> Effect {
        let source = ActionSource(file: file, function: function, line: line, info: info)
        return promise(token: token, from: source, perform: perform)
    }
}
