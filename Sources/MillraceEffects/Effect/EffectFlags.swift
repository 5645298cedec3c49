// SPDX-License-Identifier: Apache-2.0

/// What the start of an effect does.
@usableFromInline
struct EffectFlags: Sendable {
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
    init(isImmediate: Bool = false, isCounted: Bool = true, callsUser: Bool = false, startsParts: Bool = false) {
        self.isImmediate = isImmediate
        self.isCounted = isCounted
        self.callsUser = callsUser
        self.startsParts = startsParts
    }
}
