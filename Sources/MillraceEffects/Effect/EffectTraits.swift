// SPDX-License-Identifier: Apache-2.0

/// What an effect is besides its work. It goes along when the effect is changed.
@usableFromInline
struct EffectTraits: Sendable {
    /// Nil: it has no token and no name.
    @usableFromInline let tag: EffectTag?
    /// Whether it is over when it was started. Without a token nobody needs to keep it then.
    @usableFromInline let isImmediate: Bool
    /// False for what only cancels others: without a token it is in no figure, and nobody is told of it.
    @usableFromInline let isCounted: Bool
    /// Whether starting it calls a closure of the user's: that is kept from the task, if any, on whose thread it is
    /// started.
    @usableFromInline let callsUser: Bool

    @inlinable
    init(_ tag: EffectTag? = nil, isImmediate: Bool = false, isCounted: Bool = true, callsUser: Bool = false) {
        self.tag = tag
        self.isImmediate = isImmediate
        self.isCounted = isCounted
        self.callsUser = callsUser
    }

    var policy: EffectPolicy { tag?.policy ?? .replace }

    /// The same for work that takes its time, and is begun by this library.
    var lasting: EffectTraits { EffectTraits(tag) }

    /// The same for the element of a collection, whose tokens are its own.
    @inlinable
    func inside(_ scope: EffectScope) -> EffectTraits {
        scope.isEmpty ? self : with(tag?.inside(scope))
    }

    @usableFromInline
    func with(_ tag: EffectTag?) -> EffectTraits {
        EffectTraits(tag, isImmediate: isImmediate, isCounted: isCounted, callsUser: callsUser)
    }

    /// Whether it is over when it was started, and never waits for its turn.
    var isOverAtOnce: Bool { isImmediate && tag?.isToken != true }
}
