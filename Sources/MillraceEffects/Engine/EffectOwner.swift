// SPDX-License-Identifier: Apache-2.0

/// The owner of a registry, shared by a middleware, its copies and its lifts. Releasing the last of them cancels all
/// effects.
@usableFromInline
final class EffectOwner: Sendable {
    @usableFromInline let registry: EffectRegistry

    @usableFromInline
    init(_ options: EffectOptions) {
        registry = EffectRegistry(options)
    }

    deinit {
        // No effect is added later: whole effects are started only by holders of this object, and a part finds that
        // its whole was cancelled.
        registry.cancelAll()
        registry.throttles.clear()
    }
}
