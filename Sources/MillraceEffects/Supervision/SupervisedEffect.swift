// SPDX-License-Identifier: Apache-2.0

/// A long-lived effect that the state asks for: see ``SupervisingMiddleware``.
public struct SupervisedEffect<Dependencies, OutputAction>: @unchecked Sendable {
    // Unchecked because of AnyHashable: key and definition are values, which are only compared and hashed.
    /// A tag without a token asks for no effect.
    @usableFromInline let tag: EffectTag
    @usableFromInline let definition: AnyHashable
    @usableFromInline let effect: Effect<Dependencies, OutputAction>

    /// Creates an effect that exists while the state asks for its key, and is started again when its definition
    /// changes.
    ///
    /// ```swift
    /// SupervisedEffect(room.id, definition: room.server, .stream { $0.dependencies.messages(room) })
    /// ```
    ///
    /// - Parameters:
    ///   - key: The identity of the effect, and the token under which it runs; nil asks for nothing.
    ///   - definition: All values that the effect is made from, as two effects cannot be compared.
    ///   - effect: The effect to run. Its own token and policy are ignored.
    public init<Key: Hashable & Sendable, Definition: Hashable & Sendable>(
        _ key: Key,
        definition: Definition,
        _ effect: Effect<Dependencies, OutputAction>
    ) {
        tag = EffectTag.of(key)
        self.definition = AnyHashable(definition)
        self.effect = effect
    }

    /// Creates an effect that exists while the state asks for its key.
    public init<Key: Hashable & Sendable>(_ key: Key, _ effect: Effect<Dependencies, OutputAction>) {
        self.init(key, definition: true, effect)
    }
}
