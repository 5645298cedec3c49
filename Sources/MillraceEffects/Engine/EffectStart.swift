// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// Starts the effects of one middleware.
@usableFromInline
struct EffectStart<Dependencies, OutputAction>: @unchecked Sendable {
    // Unchecked because of the dependencies: SwiftRex does not require them to be Sendable; the caller is responsible.
    @usableFromInline typealias Context = Effect<Dependencies, OutputAction>.Context

    @usableFromInline let owner: EffectOwner
    /// The registry of `owner`, without a reference count for each effect.
    @usableFromInline let registry: Unmanaged<EffectRegistry>
    /// The context of effects that are not started for an element.
    @usableFromInline let context: Context

    @inlinable
    init(_ owner: EffectOwner, _ dependencies: Dependencies) {
        self.owner = owner
        registry = .passUnretained(owner.registry)
        context = (dependencies, Self.toCancel(owner.registry, EffectScope()))
    }

    @usableFromInline
    static func toCancel(
        _ registry: EffectRegistry,
        _ scope: EffectScope
    ) -> Effect<Dependencies, OutputAction>.ToCancel {
        { token in
            let tag = EffectTag.of(token).inside(scope)
            return FireAndForget { registry.cancel(tag) }
        }
    }

    @usableFromInline
    func contextInside(_ scope: EffectScope) -> Context {
        (context.dependencies, Self.toCancel(owner.registry, scope))
    }

    /// Starts an effect. Its actions go to `output`. Out of line, so that an action without an effect does not pay for
    /// it.
    @inlinable @inline(never)
    func callAsFunction(_ effect: Effect<Dependencies, OutputAction>, _ output: EffectOutput<OutputAction>) {
        if answers(effect, output) { return }
        output.target._withUnsafeGuaranteedRef { start(effect, output, $0) }
    }

    /// Sends the action of an effect that does nothing else, if that can be done at once. Retains nothing: the caller
    /// holds the effect and this value.
    @inlinable @inline(__always)
    func answers(_ effect: Effect<Dependencies, OutputAction>, _ output: EffectOutput<OutputAction>) -> Bool {
        guard let answer = effect.head.unretainedAnswer else { return false }
        return answer._withUnsafeGuaranteedRef { answer in
            output.target._withUnsafeGuaranteedRef { target in
                registry._withUnsafeGuaranteedRef { registry in
                    guard registry.answersAtOnce(answer, isBounded: target.isBounded, output) else { return false }
                    target.receive(
                        DispatchedAction(answer.action, dispatcher: answer.dispatcher),
                        cause: output.cause,
                        run: output.run?.takeUnretainedValue()
                    )
                    registry.completedOne()
                    return true
                }
            }
        }
    }

    @inlinable @inline(__always)
    func start(
        _ effect: Effect<Dependencies, OutputAction>,
        _ output: EffectOutput<OutputAction>,
        _ target: ActionSink<OutputAction>
    ) {
        let effectTask = EffectTask.answering(
            effect.tag,
            effect.flags,
            in: registry.takeUnretainedValue(),
            scope: output.scope,
            cause: output.cause,
            isBounded: target.isBounded,
            inside: output.run,
            binding: output.binding
        )
        let sink = EffectSink(effectTask: effectTask, emit: Self.emit(to: target))
        // Two calls, as a variable for the context would be a copy.
        if output.scope.isEmpty {
            MillraceEffects.start(effect, context, sink)
        } else {
            MillraceEffects.start(effect, contextInside(output.scope), sink)
        }
    }

    /// Returns the closure that passes the actions of an effect to a sink.
    @inlinable
    static func emit(to target: ActionSink<OutputAction>) -> EffectSink<DispatchedAction<OutputAction>>.Emit {
        { action, effectTask, emission in
            switch emission {
            case .send:
                // Two calls, as a variable for the run would be retained.
                if effectTask.isRevokedAlone {
                    target.receive(action, cause: effectTask.cause, run: effectTask)
                } else {
                    target.receive(action, cause: effectTask.cause, run: effectTask.enclosing)
                }
                return nil
            case .sendInAnyCase:
                target.receive(action, cause: effectTask.cause, run: effectTask.runBeyondCapacity)
                return nil
            case .findRoom:
                return target.findRoom?(action.action)
            }
        }
    }
}

/// Starts an effect. Returns false if the effect does nothing, or if its policy did not let it start.
@inlinable
@discardableResult
func start<Dependencies, OutputAction>(
    _ effect: Effect<Dependencies, OutputAction>,
    _ context: Effect<Dependencies, OutputAction>.Context,
    _ sink: Effect<Dependencies, OutputAction>.Sink
) -> Bool {
    if let body = effect.body { return start(body, effect.flags.callsUser, context, sink) }
    if let answer = effect.head.answer { return start(answer.start(), false, context, sink) }
    sink.effectTask.cannotStart()
    return false
}

// The following functions are out of line, so that the usual case does not need their stack space.

@inlinable @inline(never)
func start<Dependencies, OutputAction>(
    _ body: @escaping Effect<Dependencies, OutputAction>.Body,
    _ callsUser: Bool,
    _ context: Effect<Dependencies, OutputAction>.Context,
    _ sink: Effect<Dependencies, OutputAction>.Sink
) -> Bool {
    if sink.effectTask.mayWait || (callsUser && isInTask()) {
        return startElsewhere(body, callsUser, context, sink)
    }
    let entry = sink.effectTask.enter()
    guard entry.begins else { return entry.isStarted }
    body(context, sink)
    if entry.isAmongOthers { sink.effectTask.bodyReturned(entry) }
    return true
}

/// Starts an effect that may have to wait for others or for the journal, or whose body must not see the current task.
@inlinable @inline(never)
func startElsewhere<Dependencies, OutputAction>(
    _ body: @escaping Effect<Dependencies, OutputAction>.Body,
    _ callsUser: Bool,
    _ context: Effect<Dependencies, OutputAction>.Context,
    _ sink: Effect<Dependencies, OutputAction>.Sink
) -> Bool {
    let effectTask = sink.effectTask
    if effectTask.hasHolding { return startHeld(body, context, effectTask, sink, callsUser) }
    let entry = effectTask.enter(later: {
        let context = Unchecked(context)  // as `EffectStart` is
        return {
            guard effectTask.begins() else { return }
            if callsUser, isInTask() {
                outsideOfTask(sink.priority) { body(context.value, sink) }
            } else {
                body(context.value, sink)
            }
        }
    })
    guard entry.begins else { return entry.isStarted }
    if callsUser, isInTask() {
        let context = Unchecked(context)  // as `EffectStart` is
        outsideOfTask(sink.priority) { body(context.value, sink) }
    } else {
        body(context, sink)
    }
    if entry.isAmongOthers { effectTask.bodyReturned(entry) }
    return true
}

/// Starts an effect in a store with a journal.
@usableFromInline
func startHeld<Dependencies, OutputAction>(
    _ body: @escaping Effect<Dependencies, OutputAction>.Body,
    _ context: Effect<Dependencies, OutputAction>.Context,
    _ effectTask: EffectTask,
    _ sink: Effect<Dependencies, OutputAction>.Sink,
    _ callsUser: Bool
) -> Bool {
    let context = Unchecked(context)  // as `EffectStart` is
    @Sendable func call() {
        guard effectTask.hasKey else { return body(context.value, sink) }
        EffectKey.$current.withValue(effectTask.key) { body(context.value, sink) }
    }
    @Sendable func begin() {
        if callsUser, isInTask() { outsideOfTask(sink.priority) { call() } } else { call() }
    }
    return effectTask.startHeld(
        now: begin,
        later: {
            { if effectTask.begins() { begin() } }
        }
    )
}
