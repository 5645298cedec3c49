// SPDX-License-Identifier: Apache-2.0

import MillraceCore

extension Effect {
    /// The same effect with its actions changed. Sources, token and what `toCancel` reaches stay; `doNothing` stays
    /// what it is. `transform` must only compute: with a bounded store it may be called twice for an action, first to
    /// find out where the action goes, then to send it.
    ///
    /// ```swift
    /// let effect: Effect<World, AppAction> = authEffect.map(AppAction.auth)
    /// ```
    @preconcurrency
    public func map<NewOutputAction>(
        _ transform: @escaping @Sendable (OutputAction) -> NewOutputAction
    ) -> Effect<Dependencies, NewOutputAction> {
        guard let start else { return .doNothing }
        return Effect<Dependencies, NewOutputAction>(traits) { context, sink in
            let toCancel = context.toCancel
            start(
                (context.dependencies, { toCancel($0).retyped() }),
                sink.contramap { $0.map(transform) }
            )
        }
    }
}

extension Effect where Dependencies == Void {
    /// The same effect where there are dependencies, which it does not use. Token and `doNothing` stay.
    public func ignoringDependencies<NewDependencies>() -> Effect<NewDependencies, OutputAction> {
        guard let start else { return .doNothing }
        return Effect<NewDependencies, OutputAction>(traits) { context, sink in
            start(((), context.toCancel), sink)
        }
    }
}
