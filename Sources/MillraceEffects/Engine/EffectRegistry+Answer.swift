// SPDX-License-Identifier: Apache-2.0

public import MillraceCore
import Synchronization

extension EffectRegistry {
    /// Whether an effect that only sends one action can do that at once, without an object for its run: nothing has to
    /// wait for it, to find it, or to be told of it.
    @inlinable
    func answersAtOnce<Action>(_ answer: EffectAnswer<Action>, isBounded: Bool, _ output: EffectOutput<Action>) -> Bool
    {
        if isObserved || output.binding?._withUnsafeGuaranteedRef({ $0.isWatching }) == true { return false }
        if let run = output.run, isBounded || run._withUnsafeGuaranteedRef({ $0.isRevoked }) { return false }
        return !answer.hasToken || (!isBounded && output.scope.isEmpty && isFree(answer))
    }

    /// Whether no effect of this token is under way, and the capacity is not used up. An effect that another thread
    /// begins after this look is a newer one: it may begin before the older one has sent its action. A cancel after
    /// this look comes before the answer begins.
    ///
    /// False under another policy than `.replace`: then no effect of the token may begin until the action was sent.
    @usableFromInline
    func isFree<Action>(_ answer: EffectAnswer<Action>) -> Bool {
        if case .tag(let tag) = answer.token, tag.policy != .replace { return false }
        if lanesInUse.load(ordering: .relaxed) == 0, options.capacity == .max { return true }
        guard let tag = answer.tag else { return true }
        _ = tag.keyHash  // Before the lock, as in `add`.
        return entries.withLock { $0.count < options.capacity && $0.lanes.find(tag) == nil }
    }

    /// Counts a completed effect that was in no list.
    @usableFromInline
    func completedOne() {
        completedAtOnce.add(1, ordering: .relaxed)  // only the number counts
    }
}
