// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

// Synchronous effects: they have completed when their start returns. Without a token they are never cancelled.
extension Effect {
    /// Returns an effect that dispatches one action, which a closure makes when the effect is started. The action's
    /// source is this call.
    @preconcurrency
    @inlinable
    public static func just(
        _ upstream: @escaping @Sendable (Context) -> OutputAction,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil
    ) -> Effect {
        just(from: ActionSource(file: file, function: function, line: line, info: info), upstream)
    }

    /// Returns an effect that dispatches one action with a given source. A closure makes the action when the effect is
    /// started.
    @preconcurrency
    @inlinable
    public static func just(
        from dispatcher: ActionSource,
        _ upstream: @escaping @Sendable (Context) -> OutputAction
    ) -> Effect {
        immediate(callsUser: true) { context, sink in
            sink.sendInAnyCase(DispatchedAction(upstream(context), dispatcher: dispatcher))
            sink.complete()
        }
    }

    /// Returns an effect that dispatches one action. The action's source is this call.
    @inlinable
    public static func just(
        _ value: OutputAction,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil
    ) -> Effect {
        just(value, from: ActionSource(file: file, function: function, line: line, info: info))
    }

    /// Returns an effect that dispatches one action with a given source.
    @inlinable
    public static func just(_ value: OutputAction, from dispatcher: ActionSource) -> Effect {
        Effect(.answer(EffectAnswer(value, dispatcher)), EffectFlags(isImmediate: true), nil)
    }

    /// Returns an effect that dispatches several actions, in order. Their source is this call.
    @inlinable
    public static func sequence(
        _ values: OutputAction...,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil
    ) -> Effect {
        sequence(values, from: ActionSource(file: file, function: function, line: line, info: info))
    }

    /// Returns an effect that dispatches several actions with a given source, in order.
    @inlinable
    public static func sequence(_ values: OutputAction..., from dispatcher: ActionSource) -> Effect {
        sequence(values, from: dispatcher)
    }

    /// Returns an effect that dispatches several actions, in order. Their source is this call. With an empty array the
    /// effect starts and completes without an action.
    @inlinable
    public static func sequence(
        _ values: [OutputAction],
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil
    ) -> Effect {
        sequence(values, from: ActionSource(file: file, function: function, line: line, info: info))
    }

    /// Returns an effect that dispatches several actions with a given source, in order. With an empty array the effect
    /// starts and completes without an action.
    @inlinable
    public static func sequence(_ values: [OutputAction], from dispatcher: ActionSource) -> Effect {
        let values = Unchecked(values)  // Actions need not be Sendable in SwiftRex; each run sends copies.
        return immediate { _, sink in
            for value in values.value { sink.sendInAnyCase(DispatchedAction(value, dispatcher: dispatcher)) }
            sink.complete()
        }
    }

    /// Returns an effect that calls a closure and dispatches nothing. The closure runs when the effect is started, as
    /// a rule on the pipeline's thread: keep it short.
    @preconcurrency
    @inlinable
    public static func fireAndForget(_ operation: @escaping @Sendable (Context) -> Void) -> Effect {
        immediate(callsUser: true) { context, sink in
            operation(context)
            sink.complete()
        }
    }

    /// Returns an effect that cancels the effects of a token in the same middleware. If there are none, it does
    /// nothing.
    @preconcurrency
    @inlinable
    public static func toCancel<Token: Hashable & Sendable>(_ token: Token) -> Effect {
        immediate(isCounted: false) { context, sink in context.toCancel(AnyHashable(token)).start(sink) }
    }
}

extension Effect where Dependencies == Void {
    /// Returns an effect that calls a closure and dispatches nothing. The closure runs when the effect is started, as
    /// a rule on the pipeline's thread: keep it short.
    @preconcurrency
    @inlinable
    public static func fireAndForget(_ operation: @escaping @Sendable () -> Void) -> Effect {
        immediate(callsUser: true) { _, sink in
            operation()
            sink.complete()
        }
    }
}
