// SPDX-License-Identifier: Apache-2.0

/// The effects of one token: the running ones, and those that wait for a running one to end.
struct EffectLane {
    private(set) var running = EffectList()
    private(set) var waiting = EffectList()
    /// The number of running effects that count against the limit.
    private var places = 0

    var isEmpty: Bool { running.isEmpty && waiting.isEmpty }

    /// All effects, the waiting ones first: cancelled in this order, none of them begins.
    var all: [EffectTask] { waiting.isEmpty ? running.all : waiting.all + running.all }

    func hasPlace(limit: Int) -> Bool { waiting.isEmpty && places < limit }

    mutating func run(_ effectTask: EffectTask, isCovered: Bool) {
        effectTask.place.isCovered = isCovered
        effectTask.place.isBeginning = effectTask.policy.limit != nil
        running.append(effectTask, to: .running)
        if !isCovered { places += 1 }
    }

    mutating func wait(_ effectTask: EffectTask) {
        waiting.append(effectTask, to: .waiting)
    }

    /// Notes that an effect has ended, or (`isEnd` is false) that its body has returned. Returns true if it has left
    /// the lane.
    mutating func leave(_ effectTask: EffectTask, isEnd: Bool) -> Bool {
        switch effectTask.place.row {
        case .none:
            return false
        case .waiting:
            guard isEnd else { return false }
            waiting.remove(effectTask)
            return true
        case .running:
            if isEnd { effectTask.place.hasEnded = true } else { effectTask.place.isBeginning = false }
            guard effectTask.place.hasEnded, !effectTask.place.isBeginning else { return false }
            running.remove(effectTask)
            if !effectTask.place.isCovered { places -= 1 }
            return true
        }
    }

    /// Removes all or some of the waiting effects, and returns them.
    mutating func dropWaiting(_ isUnwanted: (EffectTask) -> Bool = { _ in true }) -> [EffectTask] {
        waiting.isEmpty ? [] : waiting.removeAll(where: isUnwanted)
    }

    mutating func dropRunning() -> [EffectTask] {
        places = 0
        return running.removeAll()
    }

    /// Moves waiting effects to the running ones, as far as their limits allow, and returns them.
    mutating func takeReady() -> [EffectTask] {
        var ready: [EffectTask] = []
        while let first = waiting.first, let limit = first.policy.limit, places < limit {
            waiting.remove(first)
            run(first, isCovered: false)
            ready.append(first)
        }
        return ready
    }
}
