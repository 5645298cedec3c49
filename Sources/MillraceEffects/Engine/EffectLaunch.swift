// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// An effect that is ready to be started by the middleware it came from, once it is known where its actions go.
///
/// Made only when there is something to start: an action without an effect allocates nothing.
@usableFromInline
struct EffectLaunch<OutputAction>: Sendable {
    private typealias Body = @Sendable (AnyActionHandler<OutputAction>, EffectScope, EffectMeter?) -> Void

    private let body: Body

    private init(body: @escaping Body) {
        self.body = body
    }

    @usableFromInline
    init<Dependencies>(
        _ effect: Effect<Dependencies, OutputAction>,
        dependencies: Unchecked<Dependencies>,
        in registry: EffectRegistry
    ) {
        body = { output, scope, meter in
            let home = EffectHome(registry: registry.reference, scope: scope, output: output, meter: meter)
            let toCancel: Effect<Dependencies, OutputAction>.ToCancel = { token in
                let token = EffectToken(scope: home.scope, token: token)
                return FireAndForget { if let token { home.registry?.value?.cancel(token) } }
            }
            home.start(effect, (dependencies.value, toCancel), emit: { output.belonging(to: $1).dispatch($0) })
        }
    }

    /// Starts it; its actions go to `output`.
    ///
    /// - Parameter meter: Where it is measured, in a store.
    @usableFromInline
    func start(_ output: AnyActionHandler<OutputAction>, _ meter: EffectMeter? = nil) {
        body(output, EffectScope(), meter)
    }

    /// The same with its actions changed; those that have no counterpart go nowhere.
    @usableFromInline
    func compactMap<NewOutputAction>(
        _ transform: @escaping @Sendable (OutputAction) -> NewOutputAction?
    ) -> EffectLaunch<NewOutputAction> {
        EffectLaunch<NewOutputAction> { [body] output, scope, meter in
            body(output.compactContramap(transform), scope, meter)
        }
    }

    /// The same for an element of a collection: its token is that element's own.
    @usableFromInline
    func scoped(to id: AnyHashable) -> EffectLaunch {
        let id = Unchecked(id)  // an id is a value
        return EffectLaunch { [body] output, scope, meter in body(output, scope.inside(id.value), meter) }
    }
}
