// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension Effect {
    /// Asynchronous work that ends with an action, or with none. The action's source is this call.
    ///
    /// ```swift
    /// .task(token: "load") { context in .loaded(await context.dependencies.load()) }
    /// ```
    ///
    /// It runs in a task of its own, which is cancelled with the effect. Cancelled before it began, it does not begin. The
    /// task is detached: it has no task-locals of others.
    ///
    /// - Parameter priority: That of the task; nil: ``EffectOptions/priority``.
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
        return Effect(EffectTraits(token.map { EffectTag($0, policy: policy) })) { context, sink in
            let context = Unchecked(context)  // SwiftRex's dependencies need not be Sendable; they are the caller's.
            sink.inTask(priority) {
                if !sink.isCancelled, let action = await perform(context.value) {
                    await sink.sendWhenRoom(DispatchedAction(action, dispatcher: source))
                }
                sink.complete()
            }
        }
    }

    /// Asynchronous work that may fail: `catchErrors` says which action stands for an error, if any. The action's
    /// source is this call.
    ///
    /// ```swift
    /// .task(token: "load") { context in
    ///     .loaded(try await context.dependencies.load())
    /// } catchErrors: { error in
    ///     .failed("\(error)")
    /// }
    /// ```
    ///
    /// What a cancelled task throws is not heard.
    ///
    /// - Parameters:
    ///   - priority: That of the task; nil: ``EffectOptions/priority``.
    ///   - retry: Whether and when `perform` is called again after an error; `catchErrors` hears of the last one.
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

    /// The actions of an asynchronous sequence, as they come; the effect ends with it. Their source is this call.
    ///
    /// ```swift
    /// .stream(token: "quotes") { context in context.dependencies.quotes().map(AppAction.quote) }
    /// ```
    ///
    /// The sequence is made and read in a task of its own, which is cancelled with the effect. Where the store is
    /// bounded and full, the task waits for room before it reads on.
    ///
    /// - Parameters:
    ///   - priority: That of the task; nil: ``EffectOptions/priority``.
    ///   - retry: Whether and when a sequence is made anew after an error. An element that came counts as a success:
    ///     the next error is the first again.
    ///   - catchErrors: Which action stands for the last error, if any; the effect ends with it.
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
        // Unchecked: it captures what is Sendable, and the type of the sequence, whose conformance might be isolated to
        // an actor as far as the compiler can see.
        let read = Unchecked<(Context, Sink) async -> Void> { context, sink in
            var attempts = RetryAttempts(retry)
            while true {
                do {
                    for try await action in actions(context) {
                        // The sequence may ignore that its task was cancelled.
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

    /// Runs `body` in a task, then completes.
    private static func inTask(
        _ token: (any Hashable & Sendable)?,
        _ policy: EffectPolicy,
        _ priority: TaskPriority?,
        _ body: @escaping @Sendable (Context, Sink) async -> Void
    ) -> Effect {
        Effect(EffectTraits(token.map { EffectTag($0, policy: policy) })) { context, sink in
            let context = Unchecked(context)  // SwiftRex's dependencies need not be Sendable; they are the caller's.
            sink.inTask(priority) {
                if !sink.isCancelled { await body(context.value, sink) }
                sink.complete()
            }
        }
    }
}
