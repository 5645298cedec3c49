// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// Where effects are started: the registry of the middleware, and the elements they are started for.
struct EffectHome: Sendable {
    /// A registry that is not kept: running effects must not keep their middleware.
    final class WeakRegistry: @unchecked Sendable {
        // Unchecked because a weak reference may be read from any thread, and this one is never set again.
        private(set) weak var value: EffectRegistry?

        init(_ value: EffectRegistry) {
            self.value = value
        }
    }

    /// Nil: nobody keeps a list, the effect is run by itself.
    let registry: WeakRegistry?
    let scope: EffectScope

    init(registry: EffectRegistry? = nil, scope: EffectScope = EffectScope()) {
        self.registry = registry.map(WeakRegistry.init)
        self.scope = scope
    }

    /// Starts an effect; one of the same token is cancelled right after. Without the middleware nothing is started.
    ///
    /// - Parameters:
    ///   - parent: The effect of which this one is a part.
    ///   - ended: Called once, when the effect has ended, or could not be started.
    func start<Dependencies, OutputAction>(
        _ effect: Effect<Dependencies, OutputAction>,
        _ context: Effect<Dependencies, OutputAction>.Context,
        parent: EffectLife? = nil,
        emit: @escaping EffectSink<DispatchedAction<OutputAction>>.Emit,
        ended: @escaping @Sendable () -> Void = {}
    ) {
        guard let body = effect.start else { return ended() }
        let token = effect.token.flatMap { EffectToken(scope: scope, token: $0) }
        // A part without a token is revoked with the whole and never alone.
        let run = token == nil ? parent?.run : nil
        let measured = parent == nil ? registry?.value?.measure() : nil
        let life = EffectLife(run: run ?? EffectRun(), token: token, parent: parent) { [registry] life in
            registry?.value?.remove(life)
            measured?.end(isCancelled: life.isCancelled)
            ended()
        }
        var older: [EffectLife] = []
        if let registry, token != nil || parent == nil {
            guard let registry = registry.value else { return life.cancel() }
            older = registry.add(life)
        }
        // Now that it is in the registry, from which its end removes it: the whole may have been cancelled already, and
        // what never starts replaces nothing.
        parent?.onCancel { life.cancel() }
        guard life.isActive else { return }
        body(context, EffectSink(life: life, home: self, emit: emit))
        // A whole is not replaced by its part.
        for other in older where !life.isPart(of: other) { other.cancel() }
    }
}
