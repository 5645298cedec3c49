// SPDX-License-Identifier: Apache-2.0

/// A name, in an object: one pointer to be copied with each effect, most of which have none.
@usableFromInline
final class EffectName: Sendable {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}

/// What an effect is besides its work. It goes along when the effect is changed.
@usableFromInline
struct EffectTraits: Sendable {
    @usableFromInline var token: EffectToken?
    @usableFromInline var policy: EffectPolicy
    @usableFromInline var name: EffectName?
    /// Whether it is over when it was started. Without a token nobody needs to keep it then.
    @usableFromInline var isImmediate: Bool

    @inlinable
    init(
        token: EffectToken? = nil,
        policy: EffectPolicy = .replace,
        name: EffectName? = nil,
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

    /// The same for the element of a collection, whose tokens are its own.
    @inlinable
    func inside(_ scope: EffectScope) -> EffectTraits {
        if scope.isEmpty || token == nil { return self }
        return EffectTraits(token: token?.inside(scope), policy: policy, name: name, isImmediate: isImmediate)
    }

    /// Whether it is over when it was started, and never waits for its turn.
    var isOverAtOnce: Bool { isImmediate && token == nil }
}
