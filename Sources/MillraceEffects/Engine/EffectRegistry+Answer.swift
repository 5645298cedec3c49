// SPDX-License-Identifier: Apache-2.0

public import MillraceCore
import Synchronization

extension EffectRegistry {
    /// Whether an effect that only sends one action can do that at once, without an object for its run: nothing has to
    /// wait for it, to find it, or to be told of it.
    @inlinable
    func answersAtOnce<Action>(_ tag: EffectTag?, isBounded: Bool, _ output: EffectOutput<Action>) -> Bool {
        if isObserved || output.binding?._withUnsafeGuaranteedRef({ $0.isWatching }) == true { return false }
        if let run = output.run, isBounded || run._withUnsafeGuaranteedRef({ $0.isRevoked }) { return false }
        guard let tag, tag.isToken else { return true }
        // Under another policy, no effect of the token may begin until the action was sent.
        return !isBounded && output.scope.isEmpty && tag.policy == .replace && isFree(tag)
    }

    /// Whether no effect of this token is under way, and the capacity is not used up. An effect that another thread
    /// begins after this look is a newer one: it may begin before the older one has sent its action. A cancel after
    /// this look comes before the answer begins.
    @usableFromInline
    func isFree(_ tag: EffectTag) -> Bool {
        if lanesInUse.load(ordering: .relaxed) == 0, options.capacity == .max { return true }
        _ = tag.keyHash  // Before the lock, as in `add`.
        return entries.withLock { $0.count < options.capacity && $0.lanes.find(tag) == nil }
    }

    /// Counts a completed effect that was in no list.
    @usableFromInline
    func completedOne() {
        completedAtOnce.add(1, ordering: .relaxed)  // only the number counts
    }
}
