// SPDX-License-Identifier: Apache-2.0

package import MillraceCore

/// The effects of a middleware of another target that runs at most one effect for each of its inputs, in one store.
///
/// The middleware makes it when the store binds it, and keeps it or a lane of it: releasing them cancels all effects.
package final class LatestEffects<OutputAction>: Sendable {
    fileprivate let start: EffectStart<Void, OutputAction>
    fileprivate let binding: EffectBinding

    package init(_ options: EffectOptions, _ services: BindingServices) {
        let owner = EffectOwner(options)
        start = EffectStart(owner, ())
        binding = EffectBinding([owner.registry], services)
    }

    /// Cancels all effects. Any thread.
    package func cancelAll() { binding.cancelAll() }

    /// Returns the place of the effects of one input, which have this name unless they have their own.
    package func lane(named name: String) -> LatestEffect<OutputAction> {
        LatestEffect(self, EffectTag(nil, .replace, name))
    }
}

extension LatestEffects {
    /// Starts an effect as `EffectStart` does, and returns it. Apart from that, whose callers need no effect in return.
    fileprivate func begin(
        _ effect: Effect<Void, OutputAction>,
        _ handler: AnyActionHandler<OutputAction>,
        _ beginning: EffectBeginning?
    ) -> EffectTask {
        let target = handler.sink
        let output = EffectOutput(handler, binding)
        let effectTask = EffectTask.answering(
            effect.tag,
            effect.flags,
            in: start.owner.registry,
            scope: output.scope,
            cause: output.cause,
            isBounded: target.isBounded,
            inside: output.run,
            binding: output.binding,
            ended: beginning?.ended
        )
        let context = output.scope.isEmpty ? start.context : start.contextInside(output.scope)
        let sink = EffectSink(effectTask: effectTask, emit: EffectStart<Void, OutputAction>.emit(to: target))
        MillraceEffects.start(effect, context, sink)
        return effectTask
    }
}

/// The latest effect of one input. A new one begins after the one before was cancelled.
///
/// An effect that was over when it had begun, such as `just`, is not remembered: what it has sent stays in the queue.
/// Of any other effect the actions that still wait are removed from the queue when it is cancelled, even if it has
/// completed meanwhile: however fast another thread was, it has not answered the input of the next effect.
package final class LatestEffect<OutputAction>: @unchecked Sendable {
    // Unchecked because only the pipeline's thread touches `current`.
    private let effects: LatestEffects<OutputAction>
    private let tag: EffectTag
    private var current: EffectTask?

    fileprivate init(_ effects: LatestEffects<OutputAction>, _ tag: EffectTag) {
        self.effects = effects
        self.tag = tag
    }

    /// Cancels the effect before, then begins this one. Its own token and policy are ignored. On the pipeline's thread.
    package func replace(by effect: Effect<Void, OutputAction>, _ output: AnyActionHandler<OutputAction>) {
        cancel()
        guard effect.doesSomething else { return }
        let name = effect.traits.tag?.name.map { EffectTag(nil, .replace, $0) }
        // An immediate effect ends in its start: no need to watch it.
        let beginning = effect.flags.isImmediate ? nil : EffectBeginning()
        let effectTask = effects.begin(effect.with(name ?? tag), output, beginning)
        if let beginning, !beginning.isOver { current = effectTask }
    }

    /// Cancels the effect, if there is one. On the pipeline's thread.
    package func cancel() {
        guard let effectTask = current.take() else { return }
        effectTask.cancel()
    }
}
