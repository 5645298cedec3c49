// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import Synchronization

extension EffectRegistry {
    /// Cancels the effects of a token. An unknown token is ignored.
    func cancel(_ token: EffectTag) {
        _ = token.keyHash  // Before the lock, as in `add`.
        let removed: (key: EffectTag?, waiting: [EffectTask], running: [EffectTask])? = entries.withLock { entries in
            guard let lane = entries.lanes.find(token) else { return nil }
            entries.count -= lane.running.count + lane.waiting.count
            entries.waiting -= lane.waiting.count
            let (waiting, running) = (lane.dropWaiting(), lane.dropRunning())
            revoke(waiting)
            revoke(running)
            let key = entries.lanes.remove(.passUnretained(lane))
            lanesInUse.store(entries.lanes.count, ordering: .relaxed)
            return (key, waiting, running)
        }
        guard let removed else { return }
        for effectTask in removed.waiting { effectTask.later = nil }
        // The waiting effects first, so that none of them begins.
        for effectTask in removed.waiting { effectTask.cancel() }
        #if MILLRACE_PLANTED
            if Planted.has(.cancelMissesHeld), removed.running.contains(where: \.isHeld) { return }
        #endif
        for effectTask in removed.running { effectTask.cancel() }
    }

    /// Cancels the effects that a predicate chooses. The predicate is called without the lock.
    func cancel(where isChosen: (EffectLabel) -> Bool) {
        cancelTasks { isChosen($0.label) }
    }

    /// Cancels those effects of one element that a predicate chooses.
    func cancel(in scope: EffectScope, where isChosen: (EffectLabel) -> Bool) {
        cancelTasks { $0.origin.scope == scope && isChosen($0.label) }
    }

    /// Cancels the effects that one store has started.
    func cancel(of binding: EffectBinding.ID) {
        cancelTasks { $0.origin.binding == binding }
    }

    private func cancelTasks(where isChosen: (EffectTask) -> Bool) {
        let all = entries.withLock { entries in entries.others.all + entries.lanes.all.flatMap(\.all) }
        // In the order in which they were admitted: that of the lanes differs from process to process.
        let effectTasks = all.filter(isChosen).sorted { $0.place.number < $1.place.number }
        // The chosen waiting effects leave their lanes first, so that none of them begins when a cancelled one ends.
        let chosen = Set(effectTasks.map(ObjectIdentifier.init))
        let (dropped, ready) = entries.withLock { entries in
            var dropped: [EffectTask] = []
            var ready: [EffectTask] = []
            var seen: Set<EffectTag> = []
            for token in effectTasks.compactMap(\.token) where seen.insert(token).inserted {
                guard let lane = entries.lanes.find(token) else { continue }
                dropped += lane.dropWaiting { chosen.contains(ObjectIdentifier($0)) }
                ready += lane.takeReady()
            }
            entries.count -= dropped.count
            entries.waiting -= dropped.count + ready.count
            return (dropped, ready)
        }
        for effectTask in dropped { effectTask.later = nil }
        cancelWholesFirst(effectTasks)
        begin(ready)
    }

    func cancelAll() {
        let (keys, waiting, running) = entries.withLock { entries in
            var (waiting, running) = ([] as [EffectTask], entries.others.removeAll())
            var keys: [EffectTag?] = []
            for lane in entries.lanes.all {
                waiting += lane.dropWaiting()
                running += lane.dropRunning()
                keys.append(entries.lanes.remove(.passUnretained(lane)))
            }
            lanesInUse.store(0, ordering: .relaxed)
            entries.count = 0
            entries.immediate = 0
            entries.waiting = 0
            revoke(waiting + running)
            return (keys, waiting, running)
        }
        for effectTask in waiting { effectTask.later = nil }
        cancelWholesFirst(waiting + running)
        withExtendedLifetime(keys) {}
    }

    /// Revokes effects while the lock is held. Another thread that cancels the same effects a moment later finds none,
    /// and may return before they are cancelled: their actions must be revoked by then.
    private func revoke(_ effectTasks: [EffectTask]) {
        #if MILLRACE_PLANTED
            if Planted.has(.cancelMissesWaiting) { return }
        #endif
        for effectTask in effectTasks { effectTask.revoke() }
    }

    /// Cancels whole effects before their parts: the end of a part would start the next part. Otherwise in the order in
    /// which they were admitted, so that a run can be repeated.
    private func cancelWholesFirst(_ effectTasks: [EffectTask]) {
        let effectTasks = effectTasks.sorted { $0.place.number < $1.place.number }
        for effectTask in effectTasks where effectTask.whole == nil { effectTask.cancel() }
        for effectTask in effectTasks where effectTask.whole != nil { effectTask.cancel() }
    }
}
