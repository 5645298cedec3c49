// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import Synchronization

/// The effects that one middleware has under way. An effect that ends is removed at once.
///
/// Effects keep the registry, and the registry keeps them while they are under way: ``cancelAll()`` breaks the cycle.
@usableFromInline
final class EffectRegistry: Sendable {
    struct Entries {
        let lanes = EffectLanes()
        /// The effects without a token.
        var others = EffectList()
        /// The number of effects in `lanes` and `others`, and the number of those that wait.
        var count = 0
        var waiting = 0
        /// The effects without a token that only wait for the journal, then are over at once. The capacity does not
        /// apply to them.
        var immediate = 0
        /// The effects admitted so far.
        private(set) var admitted: UInt64 = 0
        var figures = EffectFigures()

        func hasRoom(_ capacity: Int) -> Bool { count - immediate < capacity }

        mutating func admit(_ effectTask: EffectTask) {
            count += 1
            admitted &+= 1
            effectTask.place.number = admitted
        }
    }

    enum Admission {
        /// The effect is to begin. Right after, these effects of its token are to be cancelled: the waiting ones, which
        /// have left their lane, and the running ones.
        case begins(replacing: [EffectTask]?)
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
    /// The number of tokens in use, written under the lock. Read without it, relaxed: a thread that was told of an
    /// effect with a token cannot read the number from before that effect, and the number protects nothing else.
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
    /// - Parameter later: Makes what begins the effect, if it has to wait.
    func add(_ effectTask: EffectTask, later: () -> DeferredStart) -> Admission {
        guard let token = effectTask.token else { return entries.withLock { admit(effectTask, &$0) } }
        _ = token.keyHash  // Before the lock, as the hash of a token may take long.
        let isCovered = effectTask.whole?.hasToken(token) == true
        let (admission, dropped) = entries.withLock { admit(effectTask, token, isCovered: isCovered, later, &$0) }
        if let dropped {
            for effectTask in dropped { effectTask.later = nil }
        }
        return admission
    }

    private func admit(_ effectTask: EffectTask, _ entries: inout Entries) -> Admission {
        guard effectTask.isImmediate || entries.hasRoom(options.capacity) else {
            entries.figures.refused += 1
            return .dismissed(isRefused: true)
        }
        entries.admit(effectTask)
        if effectTask.isImmediate { entries.immediate += 1 }
        entries.others.append(effectTask, to: .running)
        return .begins(replacing: nil)
    }

    private func admit(
        _ effectTask: EffectTask,
        _ token: EffectTag,
        isCovered: Bool,
        _ later: () -> DeferredStart,
        _ entries: inout Entries
    ) -> (Admission, dropped: [EffectTask]?) {
        let policy = effectTask.policy
        let lane = entries.lanes.find(token)
        let isInUse = lane != nil && !isCovered
        if isInUse, policy == .keepFirst {
            entries.figures.skipped += 1
            return (.dismissed(isRefused: false), nil)
        }
        guard entries.hasRoom(options.capacity) || (isInUse && policy == .replace) else {
            entries.figures.refused += 1
            return (.dismissed(isRefused: true), nil)
        }
        entries.admit(effectTask)
        guard let lane else {
            entries.lanes.add(token, running: effectTask, isCovered: isCovered)
            lanesInUse.store(entries.lanes.count, ordering: .relaxed)
            return (.begins(replacing: nil), nil)
        }
        if isInUse, let limit = policy.limit, !lane.hasPlace(limit: limit) {
            entries.waiting += 1
            effectTask.later = later()
            lane.wait(effectTask)
            return (.waits, nil)
        }
        guard policy == .replace else {
            lane.run(effectTask, isCovered: isCovered)
            return (.begins(replacing: nil), nil)
        }
        // The waiting effects leave the lane now, so that none of them begins when this effect or a running one ends.
        let dropped = lane.dropWaiting()
        let replaced = dropped.isEmpty ? lane.running.all : dropped + lane.running.all
        entries.count -= dropped.count
        entries.waiting -= dropped.count
        lane.run(effectTask, isCovered: isCovered)
        return (.begins(replacing: replaced), dropped)
    }

    /// Removes an effect that has ended, if it is listed, and no other one. Begins the effects that waited for it.
    func ended(_ effectTask: EffectTask, wasCancelled: Bool) {
        if effectTask.isOverAtOnce, !wasCancelled { return completedOne() }
        if let ready = takeEnded(effectTask, wasCancelled: wasCancelled) { begin(ready) }
    }

    /// Notes that the body of an effect with a limit has returned. Until now others waited, although it may have
    /// ended.
    func bodyReturned(_ effectTask: EffectTask) {
        if let ready = takeReturned(effectTask) { begin(ready) }
    }

    /// Begins effects whose wait is over. Called without the lock.
    func begin(_ ready: [EffectTask]) {
        var ready = ready
        // In a loop, so that effects that end at once do not grow the stack.
        while !ready.isEmpty {
            var more: [EffectTask] = []
            for effectTask in ready {
                let later = effectTask.later
                effectTask.later = nil
                let hasReturned = later?.begin() ?? !effectTask.isHeld
                if hasReturned, let next = takeReturned(effectTask) { more += next }
            }
            ready = more
        }
    }

    /// Removes an effect that has ended from its list, if it is in one and its body has returned. Returns the effects
    /// that are to begin; nil if there are none.
    private func takeEnded(_ effectTask: EffectTask, wasCancelled: Bool) -> [EffectTask]? {
        #if MILLRACE_PLANTED
            // Released after the lock.
            var forgotten: [EffectTask] = []
            defer { withExtendedLifetime(forgotten) {} }
        #endif
        let left: (hasWaited: Bool, key: EffectTag?, ready: [EffectTask]?) = entries.withLock { entries in
            entries.figures.count(wasCancelled: wasCancelled)
            let row = effectTask.place.row
            guard row != .none else { return (false, nil, nil) }
            guard let lane = effectTask.place.lane else {
                entries.others.remove(effectTask)
                entries.count -= 1
                if effectTask.isImmediate { entries.immediate -= 1 }
                return (false, nil, nil)
            }
            guard effectTask.stay.end() else { return (false, nil, nil) }
            let (key, ready) = leave(lane, effectTask, &entries)
            #if MILLRACE_PLANTED
                if Planted.has(.tokenForgotten), !wasCancelled, key == nil, ready == nil {
                    forgotten = lane.takeUnretainedValue().dropRunning()
                    entries.count -= forgotten.count
                    let forgottenKey = entries.lanes.remove(lane)
                    lanesInUse.store(entries.lanes.count, ordering: .relaxed)
                    return (row == .waiting, forgottenKey, ready)
                }
            #endif
            return (row == .waiting, key, ready)
        }
        if left.hasWaited { effectTask.later = nil }
        return left.ready
    }

    /// The same for an effect whose body has returned: removes it if it has ended.
    private func takeReturned(_ effectTask: EffectTask) -> [EffectTask]? {
        guard effectTask.stay.bodyReturned() else { return nil }
        let left: (key: EffectTag?, ready: [EffectTask]?) = entries.withLock { entries in
            guard effectTask.place.row == .running, let lane = effectTask.place.lane else { return (nil, nil) }
            return leave(lane, effectTask, &entries)
        }
        return left.ready
    }

    /// Takes an effect out of its lane. Returns the effects that are to begin, and the key of a lane that is no more.
    private func leave(
        _ lane: Unmanaged<EffectLane>,
        _ effectTask: EffectTask,
        _ entries: inout Entries
    ) -> (key: EffectTag?, ready: [EffectTask]?) {
        entries.count -= 1
        if effectTask.place.row == .waiting { entries.waiting -= 1 }
        let isEmpty = lane._withUnsafeGuaranteedRef {
            $0.leave(effectTask)
            return $0.isEmpty
        }
        if isEmpty {
            let key = entries.lanes.remove(lane)
            lanesInUse.store(entries.lanes.count, ordering: .relaxed)
            return (key, nil)
        }
        let ready = lane._withUnsafeGuaranteedRef { $0.waiting.isEmpty ? nil : $0.takeReady() }
        guard let ready else { return (nil, nil) }
        entries.waiting -= ready.count
        return (nil, ready)
    }
}
