// SPDX-License-Identifier: Apache-2.0

import MillraceCore

extension EffectRegistry {
    /// The effects that one store has started, in the order in which they were admitted; those that wait come last.
    func underWay(of binding: EffectBinding.ID) -> [EffectUnderWay] {
        let (running, waiting) = entries.withLock { entries in
            (
                entries.others.all + entries.lanes.all.flatMap { $0.running.all },
                entries.lanes.all.flatMap { $0.waiting.all }
            )
        }
        func sorted(_ effectTasks: [EffectTask]) -> [EffectTask] {
            effectTasks.sorted { $0.place.number < $1.place.number }
        }
        return (sorted(running).map { ($0, false) } + sorted(waiting).map { ($0, true) })
            .filter { $0.0.origin.binding == binding }
            .map { effectTask, isWaiting in
                let label = effectTask.label
                let text = isWaiting ? "\(label) (waits for its turn)" : "\(label)"
                return EffectUnderWay(token: label.token, name: label.name, isWaiting: isWaiting, text: text)
            }
    }
}
