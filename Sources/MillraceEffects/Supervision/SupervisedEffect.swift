// SPDX-License-Identifier: Apache-2.0

/// A long-lived effect that the state asks for: see ``SupervisingMiddleware``.
public struct SupervisedEffect<Dependencies, OutputAction>: @unchecked Sendable {
    // Unchecked because of AnyHashable: key and definition are values, which are only compared and hashed.
    /// Without a token it is not asked for.
    @usableFromInline let tag: EffectTag
    @usableFromInline let definition: AnyHashable
    @usableFromInline let effect: Effect<Dependencies, OutputAction>

    /// An effect that is there while the state asks for its key, and is begun anew when its definition changes.
    ///
    /// ```swift
    /// SupervisedEffect(room.id, definition: room.server, .stream { $0.dependencies.messages(room) })
    /// ```
    ///
    /// - Parameters:
    ///   - key: Which effect this is. It is the token under which the effect runs; nil asks for nothing.
    ///   - definition: All that the effect is made from, as two effects cannot be compared.
    ///   - effect: What runs. Its own token and policy do not count.
    public init<Key: Hashable & Sendable, Definition: Hashable & Sendable>(
        _ key: Key,
        definition: Definition,
        _ effect: Effect<Dependencies, OutputAction>
    ) {
        tag = EffectTag(key)
        self.definition = AnyHashable(definition)
        self.effect = effect
    }

    /// An effect that is there while the state asks for its key.
    public init<Key: Hashable & Sendable>(_ key: Key, _ effect: Effect<Dependencies, OutputAction>) {
        self.init(key, definition: true, effect)
    }
}
