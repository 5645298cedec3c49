// SPDX-License-Identifier: Apache-2.0

/// The number of effects of a middleware in each state.
///
/// At a quiet moment every effect is counted in exactly one of these figures. Parts of an effect count if they have a
/// token of their own. `doNothing` does not count, nor do effects that only cancel others (`toCancel` in its forms).
///
/// Any thread may read them at any time. While other threads end or cancel effects, an effect that is just ending may
/// for a moment be in none of the figures. This also holds after the return of a cancel that found the effect ending.
public struct EffectFigures: Hashable, Sendable {
    /// The effects that run now.
    public var running = 0
    /// The effects that wait now, by ``EffectPolicy/serial`` or ``EffectPolicy/concurrent(max:)``.
    public var waiting = 0
    /// The effects that ended by themselves, or by their `timeout` (only its action tells the difference).
    public var completed = 0
    /// The effects that were cancelled or replaced, before or after they began.
    public var cancelled = 0
    /// The effects that were skipped by ``EffectPolicy/keepFirst``, because their token was in use.
    public var skipped = 0
    /// The effects that were refused because ``EffectOptions/capacity`` effects were under way.
    public var refused = 0

    /// Creates figures that are all zero.
    public init() {}

    /// The number of all effects that were asked for.
    public var total: Int { running + waiting + completed + cancelled + skipped + refused }

    mutating func count(wasCancelled: Bool) {
        if wasCancelled { cancelled += 1 } else { completed += 1 }
    }

    static func + (lhs: EffectFigures, rhs: EffectFigures) -> EffectFigures {
        var sum = EffectFigures()
        sum.running = lhs.running + rhs.running
        sum.waiting = lhs.waiting + rhs.waiting
        sum.completed = lhs.completed + rhs.completed
        sum.cancelled = lhs.cancelled + rhs.cancelled
        sum.skipped = lhs.skipped + rhs.skipped
        sum.refused = lhs.refused + rhs.refused
        return sum
    }
}
