// SPDX-License-Identifier: Apache-2.0

import MillraceCore

// For wrappers that were given the place of a call as `String`s, such as `file: String = #file`.
extension Effect {
    /// One action, whose source is known as `String`s.
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

    /// One action, made when the effect is started, whose source is known as `String`s.
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

    /// Some actions, in order, whose source is known as `String`s.
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

    /// Some actions, in order, whose source is known as `String`s; of none, an effect that is started and completes.
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

    /// One action that comes by a callback, whose source is known as `String`s.
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
