// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// Where effects are started: the registry of the middleware, and the elements they are started for.
struct EffectHome: Sendable {
    /// Nil: nobody keeps a list, the effect is run by itself.
    let registry: EffectRegistry.Reference?
    let scope: EffectScope
    /// The action that the effects answer.
    let cause: ActionCause
    /// What all that they dispatch belongs to, besides their own runs: that of a plugin, say.
    let enclosing: EffectRun?
    /// Where the effects are measured; nil outside of a store.
    let meter: EffectMeter?

    /// Nobody keeps a list.
    init() {
        registry = nil
        scope = EffectScope()
        cause = .none
        enclosing = nil
        meter = nil
    }

    init<Output>(
        registry: EffectRegistry.Reference,
        scope: EffectScope,
        output: AnyActionHandler<Output>,
        meter: EffectMeter?
    ) {
        self.registry = registry
        self.scope = scope
        self.meter = meter
        cause = output.cause
        enclosing = output.run
    }

    /// Starts an effect, as its policy wants it. Without the middleware nothing is started.
    ///
    /// - Parameters:
    ///   - parent: The effect of which this one is a part.
    ///   - isRevokedAlone: Whether it may be cancelled without its parent, though it has no token.
    ///   - emit: Where its actions go.
    ///   - ended: Called once, when the effect has ended, or could not be started.
    /// - Returns: Nil if it cannot be started.
    @discardableResult
    func start<Dependencies, OutputAction>(
        _ effect: Effect<Dependencies, OutputAction>,
        _ context: Effect<Dependencies, OutputAction>.Context,
        parent: EffectLife? = nil,
        isRevokedAlone: Bool = false,
        emit: @escaping EffectSink<DispatchedAction<OutputAction>>.Emit,
        ended: @escaping @Sendable () -> Void = {}
    ) -> EffectLife? {
        let owner = registry?.value
        guard let body = effect.start, registry == nil || owner != nil else {
            ended()
            return nil
        }
        let traits = effect.traits
        let token = traits.token.flatMap { EffectToken(scope: scope, token: $0) }
        // A part without a token is revoked with the whole and never alone.
        let isOwn = token != nil || isRevokedAlone
        let observation = EffectObservation.make(owner?.options.observer, parent == nil ? meter : nil)
        let life = EffectLife(
            run: isOwn ? EffectRun(inside: enclosing) : parent?.run ?? EffectRun(inside: enclosing),
            token: token,
            parent: parent
        ) { [registry] life in
            observation?.ended(wasCancelled: life.isCancelled)
            if token != nil || parent == nil { registry?.value?.remove(life) }
            ended()
        }
        let sink = EffectSink(life: life, home: self, emit: emit)
        @Sendable func begin(_ context: Effect<Dependencies, OutputAction>.Context) {
            guard life.isActive else { return }
            if let observation {
                let label = EffectLabel(token: token?.token, name: traits.name, elements: scope.ids)
                guard observation.began(label, cause) else { return }
            }
            body(context, sink)
        }

        if token == nil, traits.isImmediate, !isRevokedAlone {
            // Over at once: nobody has to find it meanwhile, and if the whole is cancelled, its run is revoked.
            if parent?.isCancelled == true { life.cancel() } else { begin(context) }
            return life
        }
        // What never starts replaces nothing.
        if parent?.isCancelled == true {
            life.cancel()
            return life
        }
        var older: [EffectLife] = []
        if let owner, token != nil || parent == nil {
            let registered = RegisteredEffect(life: life, scope: scope, name: traits.name)
            let admission = owner.add(registered, policy: traits.policy, isCovered: parent?.hasToken(token) == true) {
                let context = Unchecked(context)  // SwiftRex's dependencies need not be Sendable; the caller's.
                return { begin(context.value) }
            }
            switch admission {
            case .begins(let dropped, let running):
                older = dropped.isEmpty ? running : dropped.map(\.effect.life) + running
            case .waits:
                parent?.onCancel { life.cancel() }
                return life
            case .skipped:
                ended()
                return nil
            case .refused:
                owner.options.onRefusal?(registered.label)
                ended()
                return nil
            }
        }
        // Now that it is in the registry, from which its end removes it: the whole may be cancelled by now.
        parent?.onCancel { life.cancel() }
        begin(context)
        // Also of one that did not begin: its place is free.
        if token != nil, traits.policy.limit != nil { owner?.bodyReturned(life) }
        // Also by one that did not begin: it was let in, and those that waited are out of their lane. But a whole is
        // not replaced by its part.
        for other in older where !life.isPart(of: other) { other.cancel() }
        return life
    }
}

extension EffectLife {
    /// Whether it or an effect that it is a part of has this token.
    fileprivate func hasToken(_ token: EffectToken?) -> Bool {
        guard let token else { return false }
        return self.token == token || parent?.hasToken(token) == true
    }
}
