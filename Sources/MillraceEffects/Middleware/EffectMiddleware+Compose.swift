// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension EffectMiddleware {
    /// Combines two effect middlewares. For an action that both answer, the effect of `lhs` is started first.
    ///
    /// Each keeps its dependencies and its tokens. This operator applies only if both have the same type. Any other
    /// composition starts the effect of the last middleware first.
    @inlinable
    public static func <> (lhs: EffectMiddleware, rhs: EffectMiddleware) -> EffectMiddleware {
        EffectMiddleware(parts: lhs.parts + rhs.parts)
    }
}

extension EffectMiddleware where Dependencies == Void {
    /// Creates a middleware whose effects need no dependencies.
    @preconcurrency
    @inlinable
    public static func onAction(
        options: EffectOptions = EffectOptions(),
        do onAction:
            @escaping @Sendable (
                InputActionType, ActionSource, @escaping GetState<StateType>
            ) -> Effect<Dependencies, OutputActionType>
    ) -> EffectMiddleware {
        EffectMiddleware(dependencies: (), options: options, onAction: onAction)
    }
}

extension EffectMiddleware: Monoid where Dependencies == Void {
    /// A middleware without effects.
    @inlinable
    public static var identity: EffectMiddleware {
        EffectMiddleware(parts: [])
    }
}
