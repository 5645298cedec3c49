// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// Where an effect belongs, with all its parts: to the registry of a middleware, to the elements it is started for, to
/// the action it answers.
@usableFromInline
struct EffectOrigin: Sendable {
    /// Nil: nobody keeps a list, the effect is run by itself.
    let registry: EffectRegistry?
    let scope: EffectScope
    /// Of the store that started the effect; nil outside of a store.
    let binding: EffectBinding.ID?
    /// The action that the effects answer.
    @usableFromInline let cause: ActionCause
    /// Whether a bounded store takes the actions.
    @usableFromInline let isBounded: Bool

    /// Nobody keeps a list.
    init() {
        registry = nil
        scope = EffectScope()
        binding = nil
        cause = .none
        isBounded = false
    }

    @usableFromInline
    init(
        registry: EffectRegistry,
        scope: EffectScope,
        binding: EffectBinding.ID?,
        cause: ActionCause,
        isBounded: Bool
    ) {
        self.registry = registry
        self.scope = scope
        self.binding = binding
        self.cause = cause
        self.isBounded = isBounded
    }
}
