// SPDX-License-Identifier: Apache-2.0

/// The properties of an effect apart from its body. Operators that change an effect keep them.
@usableFromInline
struct EffectTraits: Sendable {
    /// Nil: the effect has no token and no name.
    @usableFromInline let tag: EffectTag?
    @usableFromInline let flags: EffectFlags

    @inlinable
    init(_ tag: EffectTag?, _ flags: EffectFlags) {
        self.tag = tag
        self.flags = flags
    }

    @inlinable
    init(
        _ tag: EffectTag? = nil,
        isImmediate: Bool = false,
        isCounted: Bool = true,
        callsUser: Bool = false,
        startsParts: Bool = false
    ) {
        self.init(
            tag,
            EffectFlags(
                isImmediate: isImmediate,
                isCounted: isCounted,
                callsUser: callsUser,
                startsParts: startsParts
            )
        )
    }

    @usableFromInline var isImmediate: Bool { flags.isImmediate }
    @usableFromInline var isCounted: Bool { flags.isCounted }
    @usableFromInline var startsParts: Bool { flags.startsParts }

    /// The traits of an effect that keeps this tag, takes time to end, and whose body is this library's code.
    var lasting: EffectTraits { EffectTraits(tag) }

    /// Whether the effect has completed when its start returns, and never waits for another effect.
    var isOverAtOnce: Bool { isImmediate && tag?.isToken != true }
}
