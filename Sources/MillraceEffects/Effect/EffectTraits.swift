// SPDX-License-Identifier: Apache-2.0

/// What an effect is besides its work. It goes along when the effect is changed.
@usableFromInline
struct EffectTraits: Sendable {
    @usableFromInline var token: EffectToken?
    @usableFromInline var policy: EffectPolicy
    @usableFromInline var name: String?
    /// Whether it is over when it was started. Without a token nobody needs to keep it then.
    @usableFromInline var isImmediate: Bool

    @inlinable
    init(
        token: EffectToken? = nil,
        policy: EffectPolicy = .replace,
        name: String? = nil,
        isImmediate: Bool = false
    ) {
        self.token = token
        self.policy = policy
        self.name = name
        self.isImmediate = isImmediate
    }

    /// The same for work that takes its time.
    var lasting: EffectTraits {
        var traits = self
        traits.isImmediate = false
        return traits
    }

    /// Whether it is over when it was started, and never waits for its turn.
    var isOverAtOnce: Bool { isImmediate && token == nil }
}
