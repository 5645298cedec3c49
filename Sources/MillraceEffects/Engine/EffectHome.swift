// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// Where an effect belongs, with all its parts: to the registry of a middleware, to the elements it is started for, to
/// the action it answers.
@usableFromInline
struct EffectHome: Sendable {
    /// Nil: nobody keeps a list, the effect is run by itself.
    let registry: EffectRegistry?
    let scope: EffectScope
    /// The action that the effects answer.
    @usableFromInline let cause: ActionCause
    /// What all that they dispatch belongs to, besides their own runs: that of a plugin, say.
    let enclosing: EffectRun?

    /// Nobody keeps a list.
    init() {
        registry = nil
        scope = EffectScope()
        cause = .none
        enclosing = nil
    }

    @usableFromInline
    init(registry: EffectRegistry, scope: EffectScope, cause: ActionCause, enclosing: EffectRun?) {
        self.registry = registry
        self.scope = scope
        self.cause = cause
        self.enclosing = enclosing
    }

    /// Whether effects may be started: without the middleware nothing is.
    var isOpen: Bool { registry?.isOpen ?? true }
}
