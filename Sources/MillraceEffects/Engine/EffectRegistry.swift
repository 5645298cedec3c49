// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import Synchronization

/// The effects that one middleware has under way. An effect that ends is removed at once.
///
/// Effects keep the registry, and the registry keeps them while they are under way: ``cancelAll()`` breaks the cycle.
@usableFromInline
final class EffectRegistry: Sendable {
    struct Entries {
        var lanes: [EffectTag: EffectLane] = [:]
        /// The effects without a token.
        var others = EffectList()
        /// The number of effects in `lanes` and `others`, and the number of those that wait.
        var count = 0
        var waiting = 0
        /// The effects admitted so far.
        private(set) var admitted: UInt64 = 0
        var figures = EffectFigures()

        mutating func admit(_ effectTask: EffectTask) {
            count += 1
            admitted &+= 1
            effectTask.place.number = admitted
        }
    }

    enum Admission {
        /// The effect is to begin. Right after, these effects of its token are to be cancelled: the waiting ones,
        /// which have left their lane, and the running ones.
        case begins(replacing: [EffectTask])
        case waits
        case dismissed(isRefused: Bool)
    }

    let options: EffectOptions
    @usableFromInline let isObserved: Bool
    let throttles = EffectThrottles()
    // Removed effects and tokens are released after the lock, as they may own objects whose `deinit` runs any code.
    let entries = Locked(Entries())
    /// The number of completed effects that were over at once; no list contains them.
    let completedAtOnce = Atomic<Int>(0)
    /// The number of tokens in use, written under the lock. Read without it, relaxed: a thread that was told of an effect
    /// with a token cannot read the number from before that effect, and the number protects nothing else.
    let lanesInUse = Atomic<Int>(0)

    @usableFromInline
    init(_ options: EffectOptions) {
        self.options = options
        isObserved = options.observer != nil
    }

    var figures: EffectFigures {
        entries.withLock { entries in
            var figures = entries.figures
            figures.running = entries.count - entries.waiting
            figures.waiting = entries.waiting
            figures.completed += completedAtOnce.load(ordering: .relaxed)  // only the number counts
            return figures
        }
    }

    /// Adds an effect if its policy and the capacity admit it. An effect with a limit calls ``bodyReturned(_:)``
    /// later.
    ///
    /// - Parameter later: Makes the closure that begins the effect, if it has to wait.
    func add(_ effectTask: EffectTask, later: () -> @Sendable () -> Void) -> Admission {
        guard let token = effectTask.token else { return entries.withLock { admit(effectTask, &$0) } }
        let isCovered = effectTask.parent?.hasToken(token) == true
        let (admission, dropped) = entries.withLock { admit(effectTask, token, isCovered: isCovered, later, &$0) }
        for effectTask in dropped { effectTask.later = nil }
        return admission
    }

    private func admit(_ effectTask: EffectTask, _ entries: inout Entries) -> Admission {
        guard entries.count < options.capacity else {
            entries.figures.refused += 1
            return .dismissed(isRefused: true)
        }
        entries.admit(effectTask)
        entries.others.append(effectTask, to: .running)
        return .begins(replacing: [])
    }

    private func admit(
        _ effectTask: EffectTask,
        _ token: EffectTag,
        isCovered: Bool,
        _ later: () -> @Sendable () -> Void,
        _ entries: inout Entries
    ) -> (Admission, dropped: [EffectTask]) {
        let policy = effectTask.policy
        let index = entries.lanes.index(forKey: token)
        let isInUse = index != nil && !isCovered
        if isInUse, policy == .keepFirst {
            entries.figures.skipped += 1
            return (.dismissed(isRefused: false), [])
        }
        guard entries.count < options.capacity || (isInUse && policy == .replace) else {
            entries.figures.refused += 1
            return (.dismissed(isRefused: true), [])
        }
        entries.admit(effectTask)
        guard let index else {
            var lane = EffectLane()
            lane.run(effectTask, isCovered: isCovered)
            entries.lanes[token] = lane
            lanesInUse.store(entries.lanes.count, ordering: .relaxed)
            return (.begins(replacing: []), [])
        }
        if isInUse, let limit = policy.limit, !entries.lanes.values[index].hasPlace(limit: limit) {
            entries.waiting += 1
            effectTask.later = later()
            entries.lanes.values[index].wait(effectTask)
            return (.waits, [])
        }
        var dropped: [EffectTask] = []
        var replaced: [EffectTask] = []
        if policy == .replace {
            // The waiting effects leave the lane now, so that none of them begins when this effect or a running one
            // ends.
            dropped = entries.lanes.values[index].dropWaiting()
            replaced = dropped + entries.lanes.values[index].all
            entries.count -= dropped.count
            entries.waiting -= dropped.count
        }
        entries.lanes.values[index].run(effectTask, isCovered: isCovered)
        return (.begins(replacing: replaced), dropped)
    }

    /// Removes an effect that has ended, if it is listed, and no other one. Begins the effects that waited for it.
    func ended(_ effectTask: EffectTask, wasCancelled: Bool) {
        if effectTask.isOverAtOnce, !wasCancelled {
            completedOne()
        } else {
            begin(take(effectTask, wasCancelled: wasCancelled))
        }
    }

    /// Notes that the body of an effect with a limit has returned. Until now others waited, although it may have
    /// ended.
    func bodyReturned(_ effectTask: EffectTask) {
        begin(take(effectTask, wasCancelled: nil))
    }

    /// Begins effects whose wait is over. Called without the lock.
    func begin(_ ready: [EffectTask]) {
        var ready = ready
        // In a loop, so that effects that end at once do not grow the stack.
        while !ready.isEmpty {
            var more: [EffectTask] = []
            for effectTask in ready {
                let begin = effectTask.later
                effectTask.later = nil
                begin?()
                if !effectTask.isHeld { more += take(effectTask, wasCancelled: nil) }
            }
            ready = more
        }
    }

    /// Removes an effect from its list, if it is in one, has ended and its body has returned. Returns the effects that
    /// are to begin.
    ///
    /// - Parameter wasCancelled: How the effect has ended; nil: its body has returned.
    private func take(_ effectTask: EffectTask, wasCancelled: Bool?) -> [EffectTask] {
        #if MILLRACE_PLANTED
            // Released after the lock.
            var forgotten: [EffectTask] = []
            defer { withExtendedLifetime(forgotten) {} }
        #endif
        let left: (ready: [EffectTask], hasWaited: Bool, key: EffectTag?) = entries.withLock { entries in
            if let wasCancelled { entries.figures.count(wasCancelled: wasCancelled) }
            let row = effectTask.place.row
            guard row != .none else { return ([], false, nil) }
            guard let token = effectTask.token else {
                entries.others.remove(effectTask)
                entries.count -= 1
                return ([], false, nil)
            }
            guard let index = entries.lanes.index(forKey: token),
                entries.lanes.values[index].leave(effectTask, isEnd: wasCancelled != nil)
            else { return ([], false, nil) }
            let ready = entries.lanes.values[index].takeReady()
            entries.count -= 1
            entries.waiting -= ready.count + (row == .waiting ? 1 : 0)
            #if MILLRACE_PLANTED
                let isForgetful = Planted.has(.tokenForgotten) && wasCancelled == false
                if isForgetful, entries.lanes.values[index].waiting.isEmpty {
                    forgotten = entries.lanes.values[index].dropRunning()
                    entries.count -= forgotten.count
                }
            #endif
            // The key may hold the last reference to the token, so it is released after the lock.
            let key = entries.lanes.values[index].isEmpty ? entries.lanes.remove(at: index).key : nil
            lanesInUse.store(entries.lanes.count, ordering: .relaxed)
            return (ready, row == .waiting, key)
        }
        if left.hasWaited { effectTask.later = nil }
        return left.ready
    }
}
