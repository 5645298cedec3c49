// SPDX-License-Identifier: Apache-2.0

import MillraceCore

// In all of these time is that of the clock, or where none is given, of the middleware's: `EffectOptions.clock`. A
// duration below zero is zero, one of more than a hundred years is a hundred years.
extension Effect {
    /// The same effect, begun later. Cancelled before, it does not begin.
    ///
    /// ```swift
    /// .just(.hideHint).delay(for: .seconds(3)).withToken("hint")
    /// ```
    ///
    /// It begins in a task. Token, policy and name stay. A duration below zero is zero, one above a hundred years is that;
    /// so it is in all functions that wait.
    public func delay(for duration: Duration, clock: (any Clock<Duration>)? = nil) -> Effect {
        guard let start else { return self }
        return Effect(traits.lasting) { context, sink in
            let context = Unchecked(context)  // SwiftRex's dependencies need not be Sendable; they are the caller's.
            sink.after(sink.sleeping(for: duration, on: clock)) { start(context.value, sink) }
        }
    }

    /// The same effect, begun when for so long no other one of its token has come: each that comes cancels the one
    /// before, whether that still waits or is at work.
    ///
    /// ```swift
    /// .task { .found(await $0.dependencies.search(text)) }.debounce(for: .milliseconds(300), token: "search")
    /// ```
    ///
    /// It is a `delay` under a token with ``EffectPolicy/replace``. One task for each that comes.
    @preconcurrency
    public func debounce<Token: Hashable & Sendable>(
        for duration: Duration,
        token: Token,
        clock: (any Clock<Duration>)? = nil
    ) -> Effect {
        delay(for: duration, clock: clock).withToken(token)
    }

    /// The same effect, begun at most once in an interval: the first at once; of those that come in the interval the
    /// last when it is over, or none.
    ///
    /// ```swift
    /// .fireAndForget { $0.dependencies.save(draft) }.throttle(for: .seconds(1), token: "save")
    /// ```
    ///
    /// `token` says which effects share an interval, and cancels them, those that wait and those at work. The effect
    /// may have a token of its own, for what happens when it begins and the one before is still at work; without one,
    /// both go on. An interval is measured from the beginning of the effect before, costs one task, and outlasts
    /// every cancel, `cancelAll` included; releasing the middleware ends it. Those that do not begin count as
    /// completed.
    ///
    /// - Parameter latest: Whether the last of an interval begins when it is over.
    @preconcurrency
    public func throttle<Token: Hashable & Sendable>(
        for interval: Duration,
        token: Token,
        latest: Bool = true,
        clock: (any Clock<Duration>)? = nil
    ) -> Effect {
        guard start != nil else { return self }
        // All that come are there side by side, so that the token cancels them.
        let whole = EffectTraits(EffectTag(token, policy: .concurrent(max: .max), name: traits.tag?.name))
        return Effect(whole) { context, sink in
            let context = Unchecked(context)  // SwiftRex's dependencies need not be Sendable; they are the caller's.
            let begin: @Sendable () -> Void = { sink.start(part: self, context.value) { sink.complete() } }
            // Without a middleware, or with nil for a token, nobody else comes.
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
                priority: sink.priority,
                mayWait: latest,
                entrant
            )
        }
    }

    /// The same effect, cancelled if it has not ended after so long. Then one action may be sent instead: its source is
    /// this call.
    ///
    /// ```swift
    /// .task { .loaded(await $0.dependencies.load()) }.timeout(after: .seconds(5)) { .failed("no answer") }
    /// ```
    ///
    /// The time runs from its beginning, and costs a task. As with every cancel, its actions that still wait are
    /// dropped. Token, policy and name stay.
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
        guard start != nil else { return self }
        let partTag = traits.tag?.name.map { EffectTag(nil, .replace, $0) }
        let part = Effect(EffectTraits(partTag, callsUser: traits.callsUser), start: start)
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
            // It may have ended in between.
            if !effectTask.isActive { task.cancel() }
        }
    }
}
