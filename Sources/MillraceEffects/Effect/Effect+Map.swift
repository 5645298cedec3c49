// SPDX-License-Identifier: Apache-2.0

import MillraceCore

extension Effect {
    /// Returns this effect with its actions transformed. The sources, the token and the effects that its `toCancel`
    /// finds stay the same; the result for `doNothing` is `doNothing`. `transform` must have no side effects: in a
    /// bounded store it may be called twice for an action, first to find the store that the action goes to, then to
    /// send the action.
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
    /// Returns this effect for a context with dependencies, which it does not use. The token stays the same; the
    /// result for `doNothing` is `doNothing`.
    public func ignoringDependencies<NewDependencies>() -> Effect<NewDependencies, OutputAction> {
        guard let start else { return .doNothing }
        return Effect<NewDependencies, OutputAction>(traits) { context, sink in
            start(((), context.toCancel), sink)
        }
    }
}
