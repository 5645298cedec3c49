// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// Where an effect and all its parts come from: the registry of a middleware, the elements that the effect is started
/// for, and the action that it answers.
@usableFromInline
struct EffectOrigin: Sendable {
    /// Nil: no registry lists the effect; it runs by itself.
    let registry: EffectRegistry?
    let scope: EffectScope
    /// The binding of the store that started the effect; nil outside of a store.
    let binding: EffectBinding.ID?
    /// The action that the effect answers.
    @usableFromInline let cause: ActionCause
    /// Whether its actions go to a bounded store.
    @usableFromInline let isBounded: Bool

    /// Creates the origin of an effect that no registry lists.
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

    /// The clock of effects that name no other one.
    var clock: any Clock<Duration> { registry?.options.ownClock ?? scope.world?.clock ?? ContinuousClock() }

    /// Starts a task that inherits nothing from the current one.
    func task(_ priority: TaskPriority, _ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        guard let world = scope.world else { return Task.detached(priority: priority, operation: body) }
        return Task.detached(executorPreference: world.executor, priority: priority, operation: body)
    }
}
