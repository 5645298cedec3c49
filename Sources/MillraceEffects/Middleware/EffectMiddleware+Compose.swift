// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension EffectMiddleware {
    /// Both: of an action that each answers, the effect of `lhs` is started first.
    ///
    /// Each keeps its dependencies and its tokens. It is this operator only where both have the same type; any other
    /// composition starts the effect of the last first.
    @inlinable
    public static func <> (lhs: EffectMiddleware, rhs: EffectMiddleware) -> EffectMiddleware {
        EffectMiddleware(parts: lhs.parts + rhs.parts)
    }
}

extension EffectMiddleware where Dependencies == Void {
    /// A middleware whose effects need nothing.
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
