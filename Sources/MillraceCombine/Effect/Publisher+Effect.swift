// SPDX-License-Identifier: Apache-2.0

public import MillraceCore
public import MillraceEffects

#if canImport(Combine)
    public import Combine
#else
    @preconcurrency public import OpenCombine
#endif

extension Publisher where Failure == Never {
    /// Returns an effect with a token that dispatches the values. Their source is this call.
    @preconcurrency
    public func asEffect<Token: Hashable & Sendable>(
        token: Token,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil
    ) -> Effect<Void, Output> {
        asEffect(token: token, dispatcher: ActionSource(file: file, function: function, line: line, info: info))
    }

    /// Returns an effect with a token that dispatches the values. Their source is given as `String`s.
    @_disfavoredOverload
    @preconcurrency
    public func asEffect<Token: Hashable & Sendable>(
        token: Token,
        file: String = #fileID,
        function: String = #function,
        line: UInt = #line,
        info: String? = nil
    ) -> Effect<Void, Output> {
        asEffect(token: token, dispatcher: ActionSource(file: file, function: function, line: line, info: info))
    }

    /// Returns an effect with a token that dispatches the values with a given source.
    @preconcurrency
    public func asEffect<Token: Hashable & Sendable>(token: Token, dispatcher: ActionSource) -> Effect<Void, Output> {
        asEffect(dispatcher: dispatcher).withToken(token)
    }

    /// Returns an effect that dispatches the values. Their source is this call.
    public func asEffect(
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil
    ) -> Effect<Void, Output> {
        asEffect(dispatcher: ActionSource(file: file, function: function, line: line, info: info))
    }

    /// Returns an effect that dispatches the values. Their source is given as `String`s.
    @_disfavoredOverload
    public func asEffect(
        file: String = #fileID,
        function: String = #function,
        line: UInt = #line,
        info: String? = nil
    ) -> Effect<Void, Output> {
        asEffect(dispatcher: ActionSource(file: file, function: function, line: line, info: info))
    }

    /// Returns an effect that dispatches the values with a given source.
    public func asEffect(dispatcher: ActionSource) -> Effect<Void, Output> {
        Effect(map { DispatchedAction($0, dispatcher: dispatcher) })
    }
}
