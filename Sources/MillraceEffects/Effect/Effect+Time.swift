// SPDX-License-Identifier: Apache-2.0

import MillraceCore

// All functions here measure time with the given clock, or else with the middleware's: `EffectOptions.clock`. A
// duration below zero counts as zero, one above a hundred years as a hundred years.
extension Effect {
    /// Returns this effect with a later start. If it is cancelled before, it never begins.
    ///
    /// ```swift
    /// .just(.hideHint).delay(for: .seconds(3)).withToken("hint")
    /// ```
    ///
    /// It begins in a task. Token, policy and name stay the same. A duration below zero counts as zero, one above a
    /// hundred years as a hundred years; this holds for all functions that wait.
    public func delay(for duration: Duration, clock: (any Clock<Duration>)? = nil) -> Effect {
        guard let start else { return self }
        return Effect(traits.lasting) { context, sink in
            let context = Unchecked(context)  // Need not be Sendable in SwiftRex; the caller is responsible.
            sink.after(sink.sleeping(for: duration, on: clock)) { start(context.value, sink) }
        }
    }

    /// Returns this effect with a start after a pause: it begins once no other effect of its token has been started
    /// for `duration`. Each new effect of the token cancels the one before, whether that one still waits or already
    /// runs.
    ///
    /// ```swift
    /// .task { .found(await $0.dependencies.search(text)) }.debounce(for: .milliseconds(300), token: "search")
    /// ```
    ///
    /// It is a `delay` under a token with ``EffectPolicy/replace``. Each call costs one task.
    @preconcurrency
    public func debounce<Token: Hashable & Sendable>(
        for duration: Duration,
        token: Token,
        clock: (any Clock<Duration>)? = nil
    ) -> Effect {
        delay(for: duration, clock: clock).withToken(token)
    }

    /// Returns this effect with a limited rate: of the effects of `token`, at most one begins in each interval. The
    /// first begins at once. Of those that are started during the interval, the last begins when the interval is over,
    /// or none.
    ///
    /// ```swift
    /// .fireAndForget { $0.dependencies.save(draft) }.throttle(for: .seconds(1), token: "save")
    /// ```
    ///
    /// Effects with the same `token` share an interval, and the token cancels them, both the waiting and the running
    /// ones. The effect may also have a token of its own. Its policy then applies when the effect begins while the one
    /// before still runs; without a token of its own both go on. Effects that do not begin count as completed.
    ///
    /// An interval begins when an effect begins, and costs one task. No cancel ends it, not even `cancelAll`;
    /// releasing the middleware does.
    ///
    /// - Parameters:
    ///   - interval: The least time between the beginnings of two effects of `token`.
    ///   - token: The token of the effects that share an interval.
    ///   - latest: Whether the last effect that was started during an interval begins when the interval is over.
    ///   - clock: The clock that measures the interval; nil means ``EffectOptions/clock``.
    @preconcurrency
    public func throttle<Token: Hashable & Sendable>(
        for interval: Duration,
        token: Token,
        latest: Bool = true,
        clock: (any Clock<Duration>)? = nil
    ) -> Effect {
        guard doesSomething else { return self }
        // All effects of the token are under way side by side, so that the token cancels all of them.
        let whole = EffectTraits(EffectTag.of(token, policy: .concurrent(max: .max), name: tag?.name))
        return Effect(whole) { context, sink in
            let context = Unchecked(context)  // Need not be Sendable in SwiftRex; the caller is responsible.
            let begin: @Sendable () -> Void = { sink.start(part: self, context.value) { sink.complete() } }
            // Without a middleware, or with nil as the token, there are no other effects to share an interval with.
            guard let registry = sink.effectTask.origin.registry, let token = sink.effectTask.token else {
                return begin()
            }
            let entrant = EffectThrottles.Entrant(
                begin: {
                    guard sink.effectTask.isActive else { return false }
                    begin()
                    return true
                },
                drop: { sink.complete() }
            )
            registry.throttles.enter(
                token,
                for: interval,
                on: clock ?? sink.clock,
                task: { sink.effectTask.origin.task(sink.priority, $0) },
                mayWait: latest,
                entrant
            )
        }
    }

    /// Returns this effect with a time limit: it is cancelled if it has not ended after `duration`. In that case
    /// `onTimeout` may return an action to send. The action's source is this call.
    ///
    /// ```swift
    /// .task { .loaded(await $0.dependencies.load()) }.timeout(after: .seconds(5)) { .failed("no answer") }
    /// ```
    ///
    /// The time runs from the beginning of the effect, and costs a task. As with every cancel, actions of the effect
    /// that still wait are removed from the queue and counted as cancelled. Token, policy and name stay the same.
    @preconcurrency
    public func timeout(
        after duration: Duration,
        clock: (any Clock<Duration>)? = nil,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil,
        onTimeout: @escaping @Sendable () -> OutputAction? = { nil }
    ) -> Effect {
        guard doesSomething else { return self }
        let partTag = tag?.name.map { EffectTag(nil, .replace, $0) }
        let part = Effect(head, EffectFlags(callsUser: flags.callsUser), body).with(partTag)
        let source = ActionSource(file: file, function: function, line: line, info: info)
        return Effect(traits.lasting) { context, sink in
            let isOver = Once()
            let timer = Locked<Task<Void, Never>?>(nil)
            let sleep = sink.sleeping(for: duration, on: clock)
            let effectTask = sink.start(part: part, context, isRevokedAlone: true) {
                guard isOver.take() else { return }
                timer.withLock { $0 }?.cancel()
                sink.complete()
            }
            guard let effectTask, effectTask.isActive else { return }
            let task = sink.after(sleep) {
                guard isOver.take() else { return }
                effectTask.cancel()
                if let action = onTimeout() { sink.sendInAnyCase(DispatchedAction(action, dispatcher: source)) }
                sink.complete()
            }
            timer.withLock { $0 = task }
            // The effect may have ended before the timer was stored.
            if !effectTask.isActive { task.cancel() }
        }
    }
}
