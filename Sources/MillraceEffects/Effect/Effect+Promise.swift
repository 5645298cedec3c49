// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension Effect {
    /// Returns an effect that dispatches one action, which a callback delivers. The action's source is this call.
    ///
    /// ```swift
    /// .promise(token: "load") { context, done in
    ///     context.dependencies.load { user in done(.loaded(user)) }
    /// }
    /// ```
    ///
    /// `perform` is called when the effect is started. The first call of the callback, on any thread, ends the effect;
    /// later calls do nothing. Until then the effect stays under way. The token cancels it; after that the callback
    /// does nothing. To stop the operation that calls back as well, use ``init(token:policy:start:)`` and
    /// ``EffectSink/onCancel(_:)``.
    @preconcurrency
    public static func promise<Token: Hashable & Sendable>(
        token: Token,
        policy: EffectPolicy = .replace,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil,
        perform: @escaping @Sendable (Context, @escaping @Sendable (OutputAction) -> Void) -> Void
    ) -> Effect {
        let source = ActionSource(file: file, function: function, line: line, info: info)
        return promise(token: token, policy: policy, from: source, perform: perform)
    }

    /// Returns an effect that dispatches one action with a given source. A callback delivers the action.
    @preconcurrency
    public static func promise<Token: Hashable & Sendable>(
        token: Token,
        policy: EffectPolicy = .replace,
        from dispatcher: ActionSource,
        perform: @escaping @Sendable (Context, @escaping @Sendable (OutputAction) -> Void) -> Void
    ) -> Effect {
        Effect(token: token, policy: policy) { context, sink in
            let isKept = Once()
            perform(context) { action in
                #if MILLRACE_PLANTED
                    if Planted.has(.promiseKeptTwice) {
                        sink.sendInAnyCase(DispatchedAction(action, dispatcher: dispatcher))
                        return sink.complete()
                    }
                #endif
                guard isKept.take() else { return }
                sink.sendInAnyCase(DispatchedAction(action, dispatcher: dispatcher))
                sink.complete()
            }
        }
    }
}
