// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

// Synchronous effects: they are over when they were started, and never cancelled.
extension Effect {
    /// One action, made when the effect is started. Its source is this call.
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

    /// One action of a known source, made when the effect is started.
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

    /// One action. Its source is this call.
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

    /// One action of a known source.
    @inlinable
    public static func just(_ value: OutputAction, from dispatcher: ActionSource) -> Effect {
        let value = Unchecked(value)  // SwiftRex's actions need not be Sendable; each run sends a copy.
        return immediate { _, sink in
            sink.sendInAnyCase(DispatchedAction(value.value, dispatcher: dispatcher))
            sink.complete()
        }
    }

    /// Some actions, in order. Their source is this call.
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

    /// Some actions of a known source, in order.
    @inlinable
    public static func sequence(_ values: OutputAction..., from dispatcher: ActionSource) -> Effect {
        sequence(values, from: dispatcher)
    }

    /// Some actions, in order; of none, an effect that is started and completes. Their source is this call.
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

    /// Some actions of a known source, in order; of none, an effect that is started and completes.
    @inlinable
    public static func sequence(_ values: [OutputAction], from dispatcher: ActionSource) -> Effect {
        let values = Unchecked(values)  // SwiftRex's actions need not be Sendable; each run sends copies.
        return immediate { _, sink in
            for value in values.value { sink.sendInAnyCase(DispatchedAction(value, dispatcher: dispatcher)) }
            sink.complete()
        }
    }

    /// Work without actions, done when the effect is started, on the pipeline's thread: make it short.
    @preconcurrency
    @inlinable
    public static func fireAndForget(_ operation: @escaping @Sendable (Context) -> Void) -> Effect {
        immediate(callsUser: true) { context, sink in
            operation(context)
            sink.complete()
        }
    }

    /// Cancels the effect of a token, if the same middleware runs one; otherwise nothing happens.
    @preconcurrency
    @inlinable
    public static func toCancel<Token: Hashable & Sendable>(_ token: Token) -> Effect {
        immediate(isCounted: false) { context, sink in context.toCancel(AnyHashable(token)).start(sink) }
    }
}

extension Effect where Dependencies == Void {
    /// Work without actions, done when the effect is started, on the pipeline's thread: make it short.
    @preconcurrency
    @inlinable
    public static func fireAndForget(_ operation: @escaping @Sendable () -> Void) -> Effect {
        immediate(callsUser: true) { _, sink in
            operation()
            sink.complete()
        }
    }
}
