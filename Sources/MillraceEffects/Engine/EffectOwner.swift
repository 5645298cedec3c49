// SPDX-License-Identifier: Apache-2.0

/// What a middleware, its copies and its lifts keep of a registry: releasing the last cancels all.
@usableFromInline
final class EffectOwner: Sendable {
    @usableFromInline let registry: EffectRegistry

    @usableFromInline
    init(_ options: EffectOptions) {
        registry = EffectRegistry(options)
    }

    deinit {
        // Parts that are being started find that their whole was cancelled; wholes are started by those who keep this.
        registry.cancelAll()
        registry.throttles.clear()
    }
}
