// SPDX-License-Identifier: Apache-2.0

import MillraceCore

extension EffectRegistry {
    /// Cancels the effects of a token; one that is unknown is ignored.
    func cancel(_ token: EffectTag) {
        let removed: (key: EffectTag, waiting: [EffectTask], running: [EffectTask])? = entries.withLock { entries in
            guard let index = entries.lanes.index(forKey: token) else { return nil }
            var (key, lane) = entries.lanes.remove(at: index)
            entries.count -= lane.running.count + lane.waiting.count
            entries.waiting -= lane.waiting.count
            revoke(lane.all)
            return (key, lane.dropWaiting(), lane.dropRunning())
        }
        guard let removed else { return }
        for effectTask in removed.waiting { effectTask.later = nil }
        // First those that have not begun, so that none of them does.
        for effectTask in removed.waiting { effectTask.cancel() }
        for effectTask in removed.running { effectTask.cancel() }
    }

    /// Cancels those that a predicate chooses. It is called without the lock.
    func cancel(where isChosen: (EffectLabel) -> Bool) {
        cancelLives { isChosen($0.label) }
    }

    /// Cancels those that one store has started.
    func cancel(of binding: EffectBinding.ID) {
        cancelLives { $0.origin.binding == binding }
    }

    private func cancelLives(where isChosen: (EffectTask) -> Bool) {
        let all = entries.withLock { entries in entries.others.all + entries.lanes.values.flatMap(\.all) }
        let effectTasks = all.filter(isChosen)
        // Out of their lanes first, so that none of them begins in place of another.
        let chosen = Set(effectTasks.map(ObjectIdentifier.init))
        let (dropped, ready) = entries.withLock { entries in
            var dropped: [EffectTask] = []
            var ready: [EffectTask] = []
            for token in Set(effectTasks.compactMap(\.token)) {
                guard let index = entries.lanes.index(forKey: token) else { continue }
                dropped += entries.lanes.values[index].dropWaiting { chosen.contains(ObjectIdentifier($0)) }
                ready += entries.lanes.values[index].takeReady()
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
            let keys = Array(entries.lanes.keys)
            for index in entries.lanes.indices {
                waiting += entries.lanes.values[index].dropWaiting()
                running += entries.lanes.values[index].dropRunning()
            }
            entries.lanes = [:]
            entries.count = 0
            entries.waiting = 0
            revoke(waiting + running)
            return (keys, waiting, running)
        }
        for effectTask in waiting { effectTask.later = nil }
        cancelWholesFirst(waiting + running)
        withExtendedLifetime(keys) {}
    }

    /// While the lock is held: who cancels the same a moment later finds nothing, and may return before they are
    /// cancelled.
    private func revoke(_ effectTasks: [EffectTask]) {
        for effectTask in effectTasks { effectTask.revoke() }
    }

    /// Wholes before their parts: the end of a part would start the next one.
    private func cancelWholesFirst(_ effectTasks: [EffectTask]) {
        for effectTask in effectTasks where effectTask.parent == nil { effectTask.cancel() }
        for effectTask in effectTasks where effectTask.parent != nil { effectTask.cancel() }
    }
}
