// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension Effect {
    /// Returns an effect that runs an asynchronous closure and dispatches the action that it returns, if any. The
    /// action's source is this call.
    ///
    /// ```swift
    /// .task(token: "load") { context in .loaded(await context.dependencies.load()) }
    /// ```
    ///
    /// The closure runs in a task of its own, which is cancelled with the effect. If the effect is cancelled before
    /// the closure is called, the closure is never called. The task is detached: it inherits no task-locals.
    ///
    /// - Parameters:
    ///   - token: The token that cancels the effect, or nil.
    ///   - policy: What happens when an effect with the same token runs already.
    ///   - priority: The priority of the task; nil means ``EffectOptions/priority``.
    ///   - file: The file of the call, for the source.
    ///   - function: The function that contains the call, for the source.
    ///   - line: The line of the call, for the source.
    ///   - info: More about the origin of the actions, for the source.
    ///   - perform: The closure. It returns the action to dispatch, or nil for none.
    @preconcurrency
    @inlinable
    public static func task(
        token: (any Hashable & Sendable)? = nil,
        policy: EffectPolicy = .replace,
        priority: TaskPriority? = nil,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil,
        perform: @escaping @Sendable (Context) async -> OutputAction?
    ) -> Effect {
        let source = ActionSource(file: file, function: function, line: line, info: info)
        return Effect(EffectTraits(token.map { EffectTag.of($0, policy: policy) })) { context, sink in
            let context = Unchecked(context)  // Need not be Sendable in SwiftRex; the caller is responsible.
            sink.inTask(priority) {
                if !sink.isCancelled, let action = await perform(context.value) {
                    await sink.sendWhenRoom(DispatchedAction(action, dispatcher: source))
                }
                sink.complete()
            }
        }
    }

    /// Returns an effect that runs an asynchronous closure that may throw. `catchErrors` turns an error into an
    /// action, or into none. The action's source is this call.
    ///
    /// ```swift
    /// .task(token: "load") { context in
    ///     .loaded(try await context.dependencies.load())
    /// } catchErrors: { error in
    ///     .failed("\(error)")
    /// }
    /// ```
    ///
    /// An error that is thrown after the effect was cancelled is ignored.
    ///
    /// - Parameters:
    ///   - token: The token that cancels the effect, or nil.
    ///   - policy: What happens when an effect with the same token runs already.
    ///   - priority: The priority of the task; nil means ``EffectOptions/priority``.
    ///   - retry: The policy by which `perform` is called again after an error. `catchErrors` gets the last error
    ///     only.
    ///   - file: The file of the call, for the source.
    ///   - function: The function that contains the call, for the source.
    ///   - line: The line of the call, for the source.
    ///   - info: More about the origin of the actions, for the source.
    ///   - perform: The closure. It returns the action to dispatch, or nil for none.
    ///   - catchErrors: The function that turns the last error into an action, or into none.
    @preconcurrency
    public static func task(
        token: (any Hashable & Sendable)? = nil,
        policy: EffectPolicy = .replace,
        priority: TaskPriority? = nil,
        retry: RetryPolicy = .never,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil,
        perform: @escaping @Sendable (Context) async throws -> OutputAction?,
        catchErrors: @escaping @Sendable (any Error) -> OutputAction?
    ) -> Effect {
        let source = ActionSource(file: file, function: function, line: line, info: info)
        return inTask(token, policy, priority) { context, sink in
            var attempts = RetryAttempts(retry)
            let action: OutputAction?
            while true {
                do {
                    action = try await perform(context)
                    break
                } catch {
                    if await attempts.waits(after: error, sink) { continue }
                    if sink.isCancelled { return }
                    action = catchErrors(error)
                    break
                }
            }
            if let action { await sink.sendWhenRoom(DispatchedAction(action, dispatcher: source)) }
        }
    }

    /// Returns an effect that dispatches the elements of an asynchronous sequence as they arrive. The effect ends when
    /// the sequence ends. The source of the actions is this call.
    ///
    /// ```swift
    /// .stream(token: "quotes") { context in context.dependencies.quotes().map(AppAction.quote) }
    /// ```
    ///
    /// The sequence is made and read in a task of its own, which is cancelled with the effect. If the store is bounded
    /// and full, the task waits for room before it reads the next element.
    ///
    /// - Parameters:
    ///   - token: The token that cancels the effect, or nil.
    ///   - policy: What happens when an effect with the same token runs already.
    ///   - priority: The priority of the task; nil means ``EffectOptions/priority``.
    ///   - retry: The policy by which a new sequence is made after an error. Each element that arrives resets the
    ///     count of failures.
    ///   - file: The file of the call, for the source.
    ///   - function: The function that contains the call, for the source.
    ///   - line: The line of the call, for the source.
    ///   - info: More about the origin of the actions, for the source.
    ///   - actions: The closure that makes the sequence. It is called again for each retry.
    ///   - catchErrors: The function that turns the last error into an action, or into none. The effect then ends.
    @preconcurrency
    public static func stream<Actions: AsyncSequence>(
        token: (any Hashable & Sendable)? = nil,
        policy: EffectPolicy = .replace,
        priority: TaskPriority? = nil,
        retry: RetryPolicy = .never,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil,
        _ actions: @escaping @Sendable (Context) -> Actions,
        catchErrors: @escaping @Sendable (any Error) -> OutputAction? = { _ in nil }
    ) -> Effect where Actions.Element == OutputAction {
        let source = ActionSource(file: file, function: function, line: line, info: info)
        // Unchecked: it captures Sendable values and the type of the sequence. To the compiler the conformance of that
        // type might be isolated to an actor.
        let read = Unchecked<(Context, Sink) async -> Void> { context, sink in
            var attempts = RetryAttempts(retry)
            while true {
                do {
                    for try await action in actions(context) {
                        // The sequence may ignore the cancellation of its task.
                        if sink.isCancelled { return }
                        await sink.sendWhenRoom(DispatchedAction(action, dispatcher: source))
                        attempts.succeeded()
                    }
                    return
                } catch {
                    if await attempts.waits(after: error, sink) { continue }
                    guard !sink.isCancelled, let action = catchErrors(error) else { return }
                    return await sink.sendWhenRoom(DispatchedAction(action, dispatcher: source))
                }
            }
        }
        return inTask(token, policy, priority) { context, sink in await read.value(context, sink) }
    }

    /// Returns an effect that runs `body` in a task, then completes.
    private static func inTask(
        _ token: (any Hashable & Sendable)?,
        _ policy: EffectPolicy,
        _ priority: TaskPriority?,
        _ body: @escaping @Sendable (Context, Sink) async -> Void
    ) -> Effect {
        Effect(EffectTraits(token.map { EffectTag.of($0, policy: policy) })) { context, sink in
            let context = Unchecked(context)  // Need not be Sendable in SwiftRex; the caller is responsible.
            sink.inTask(priority) {
                if !sink.isCancelled { await body(context.value, sink) }
                sink.complete()
            }
        }
    }
}
