// SPDX-License-Identifier: Apache-2.0

/// What an effect is besides its work. It goes along when the effect is changed.
struct EffectTraits: @unchecked Sendable {
    // Unchecked because of the token: a value, which is only compared and hashed.
    var token: AnyHashable?
    var policy = EffectPolicy.replace
    var name: String?
    /// Whether it is over when it was started. Without a token nobody needs to keep it then.
    var isImmediate = false

    /// The same for work that takes its time.
    var lasting: EffectTraits {
        var traits = self
        traits.isImmediate = false
        return traits
    }

    /// Whether it is over when it was started, and never waits for its turn.
    var isOverAtOnce: Bool { isImmediate && token == nil }
}
