// SPDX-License-Identifier: Apache-2.0

/// The properties of an effect apart from its body. Operators that change an effect keep them.
@usableFromInline
struct EffectTraits: Sendable {
    /// Nil: the effect has no token and no name.
    @usableFromInline let tag: EffectTag?
    /// Whether the effect has completed when its start returns. Without a token the registry then need not list it.
    @usableFromInline let isImmediate: Bool
    /// False for effects that only cancel others: without a token they appear in no figure, and no observer is told of
    /// them.
    @usableFromInline let isCounted: Bool
    /// Whether starting the effect calls a closure of the user. Such a closure must not see the task that the starting
    /// thread may run.
    @usableFromInline let callsUser: Bool
    /// Whether starting the effect only starts its parts. In a store with a journal these wait for it, each by itself.
    @usableFromInline let startsParts: Bool

    @inlinable
    init(
        _ tag: EffectTag? = nil,
        isImmediate: Bool = false,
        isCounted: Bool = true,
        callsUser: Bool = false,
        startsParts: Bool = false
    ) {
        self.tag = tag
        self.startsParts = startsParts
        self.isImmediate = isImmediate
        self.isCounted = isCounted
        self.callsUser = callsUser
    }

    var policy: EffectPolicy { tag?.policy ?? .replace }

    /// The traits of an effect that keeps this tag, takes time to end, and whose body is this library's code.
    var lasting: EffectTraits { EffectTraits(tag) }

    /// Returns these traits for an element of a collection, whose tokens are its own.
    @inlinable
    func inside(_ scope: EffectScope) -> EffectTraits {
        scope.isEmpty ? self : with(tag?.inside(scope))
    }

    @usableFromInline
    func with(_ tag: EffectTag?) -> EffectTraits {
        EffectTraits(
            tag,
            isImmediate: isImmediate,
            isCounted: isCounted,
            callsUser: callsUser,
            startsParts: startsParts
        )
    }

    /// Whether the effect has completed when its start returns, and never waits for another effect.
    var isOverAtOnce: Bool { isImmediate && tag?.isToken != true }
}
