// SPDX-License-Identifier: Apache-2.0

/// What has become of the effects of a middleware.
///
/// At a quiet moment every effect is in exactly one of these figures. Parts of an effect count if they have a token of
/// their own. `doNothing` does not count, nor does what only cancels others (`toCancel` in its forms).
///
/// Any thread may read them at any time. While other threads end effects, or cancel them, one that is just ending may
/// be in none of them for a moment, also when a cancel has returned that found it ending.
public struct EffectFigures: Hashable, Sendable {
    /// At work now.
    public var running = 0
    /// Waiting for their turn now, by ``EffectPolicy/serial`` or ``EffectPolicy/concurrent(max:)``.
    public var waiting = 0
    /// Ended by themselves, or by their `timeout`: its action tells.
    public var completed = 0
    /// Cancelled, replaced ones included, before or after they began.
    public var cancelled = 0
    /// Thrown away because their token was in use, by ``EffectPolicy/keepFirst``.
    public var skipped = 0
    /// Thrown away because there were ``EffectOptions/capacity`` effects under way.
    public var refused = 0

    /// No effects.
    public init() {}

    /// How many were asked for.
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
