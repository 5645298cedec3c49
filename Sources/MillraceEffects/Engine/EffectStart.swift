// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// Starts the effects of one middleware.
@usableFromInline
struct EffectStart<Dependencies, OutputAction>: @unchecked Sendable {
    // Unchecked because of the dependencies: they need not be Sendable in SwiftRex; the caller is responsible.
    @usableFromInline typealias Context = Effect<Dependencies, OutputAction>.Context

    @usableFromInline let owner: EffectOwner
    /// The context of effects that are not started for an element.
    @usableFromInline let context: Context

    @inlinable
    init(_ owner: EffectOwner, _ dependencies: Dependencies) {
        self.owner = owner
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

    /// Starts an effect. Its actions go to `output`.
    @inlinable
    func callAsFunction(_ effect: Effect<Dependencies, OutputAction>, _ output: EffectOutput<OutputAction>) {
        if let answer = effect.head.answer, owner.registry.answersAtOnce(answer.tag, output) {
            output.handler.dispatch(DispatchedAction(answer.action, dispatcher: answer.dispatcher))
            return owner.registry.completedOne()
        }
        let target = output.handler.sink
        let effectTask = EffectTask(
            effect.traits.inside(output.scope),
            in: owner.registry,
            scope: output.scope,
            cause: output.handler.cause,
            isBounded: target.findRoom != nil,
            inside: output.handler.run,
            binding: output.binding
        )
        start(
            effect,
            output.scope.isEmpty ? context : contextInside(output.scope),
            effectTask
        ) { action, effectTask, emission in
            // Unsafe as in every output: the code that dispatches an action may have kept parts of it.
            nonisolated(unsafe) let action = action
            switch emission {
            case .send(let run):
                target.receive(action, cause: effectTask.cause, run: run)
                return nil
            case .findRoom:
                return target.findRoom?(action.action)
            }
        }
    }
}

/// Starts an effect. Returns false if it could not be started.
@inlinable
@discardableResult
func start<Dependencies, OutputAction>(
    _ effect: Effect<Dependencies, OutputAction>,
    _ context: Effect<Dependencies, OutputAction>.Context,
    _ effectTask: EffectTask,
    emit: @escaping EffectSink<DispatchedAction<OutputAction>>.Emit
) -> Bool {
    guard let body = effect.start else { return effectTask.cannotStart() }
    let sink = EffectSink(effectTask: effectTask, emit: emit)
    let callsUser = effect.flags.callsUser
    if effectTask.hasKey { return startWithKey(body, context, effectTask, sink, callsUser) }
    return effectTask.start(
        now: {
            if callsUser, isInTask() {
                let context = Unchecked(context)  // as above
                outsideOfTask(sink.priority) { body(context.value, sink) }
            } else {
                body(context, sink)
            }
        },
        later: {
            let context = Unchecked(context)  // as above
            return {
                guard effectTask.begins() else { return }
                if callsUser, isInTask() {
                    outsideOfTask(sink.priority) { body(context.value, sink) }
                } else {
                    body(context.value, sink)
                }
            }
        }
    )
}

/// The same, in a store with a journal that begins effects again.
@usableFromInline
func startWithKey<Dependencies, OutputAction>(
    _ body:
        @escaping @Sendable (
            Effect<Dependencies, OutputAction>.Context, Effect<Dependencies, OutputAction>.Sink
        ) -> Void,
    _ context: Effect<Dependencies, OutputAction>.Context,
    _ effectTask: EffectTask,
    _ sink: Effect<Dependencies, OutputAction>.Sink,
    _ callsUser: Bool
) -> Bool {
    let context = Unchecked(context)  // as above
    let begin: @Sendable () -> Void = {
        if callsUser, isInTask() {
            outsideOfTask(sink.priority) { EffectKey.$current.withValue(effectTask.key) { body(context.value, sink) } }
        } else {
            EffectKey.$current.withValue(effectTask.key) { body(context.value, sink) }
        }
    }
    return effectTask.start(
        now: begin,
        later: {
            { if effectTask.begins() { begin() } }
        }
    )
}
