// SPDX-License-Identifier: Apache-2.0

/// Cancels the effects that one store has started when the store releases its copy of the middleware. Only that copy
/// keeps the lease. So effects end with their store even if another copy is kept elsewhere.
@usableFromInline
final class EffectLease: Sendable {
    /// The identity that the effects store of their lease.
    @usableFromInline typealias ID = ObjectIdentifier

    private let registries: [EffectRegistry]

    init(_ registries: [EffectRegistry]) {
        self.registries = registries
    }

    deinit {
        for registry in registries { registry.cancel(of: ObjectIdentifier(self)) }
    }
}
