// SPDX-License-Identifier: Apache-2.0

/// How long the effects may live that one store started: as long as the store has its copy of the middleware. Only that
/// copy keeps the lease, so effects also end with their store if somebody keeps another copy.
@usableFromInline
final class EffectLease: Sendable {
    /// What the effects know of it.
    @usableFromInline typealias ID = ObjectIdentifier

    private let registries: [EffectRegistry]

    init(_ registries: [EffectRegistry]) {
        self.registries = registries
    }

    deinit {
        for registry in registries { registry.cancel(of: ObjectIdentifier(self)) }
    }
}
