// SPDX-License-Identifier: Apache-2.0

/// The effects of one token: the running ones, and those that wait for a running one to end. Touched while the lock of
/// the registry is held.
final class EffectLane: @unchecked Sendable {
    // Unchecked because of the lock.
    /// The token, while the lane is in use.
    @exclusivity(unchecked) var tag: EffectTag?
    /// The hash of the token when the lane was taken into use. The table does not ask the token again: if the hash
    /// changed, the table would not find the lane.
    @exclusivity(unchecked) var hash = 0
    /// The next lane of the same bucket of `EffectLanes`, or the next spare lane.
    @exclusivity(unchecked) var next: Unmanaged<EffectLane>?
    @exclusivity(unchecked) private(set) var running = EffectList()
    @exclusivity(unchecked) private(set) var waiting = EffectList()
    /// The number of running effects that count against the limit.
    @exclusivity(unchecked) private var places = 0

    var isEmpty: Bool { running.isEmpty && waiting.isEmpty }

    /// All effects, the waiting ones first: if they are cancelled in this order, no waiting one begins.
    var all: [EffectTask] { waiting.isEmpty ? running.all : waiting.all + running.all }

    func hasPlace(limit: Int) -> Bool { waiting.isEmpty && places < limit }

    func run(_ effectTask: EffectTask, isCovered: Bool) {
        effectTask.place.lane = .passUnretained(self)
        effectTask.place.isCovered = isCovered
        if effectTask.policy.limit != nil { effectTask.stay.begin() }
        running.append(effectTask, to: .running)
        if !isCovered { places += 1 }
    }

    func wait(_ effectTask: EffectTask) {
        effectTask.place.lane = .passUnretained(self)
        waiting.append(effectTask, to: .waiting)
    }

    /// Takes an effect out of its row. It has ended, and its body has returned or was never called.
    func leave(_ effectTask: EffectTask) {
        if effectTask.place.row == .waiting { return waiting.remove(effectTask) }
        running.remove(effectTask)
        if !effectTask.place.isCovered { places -= 1 }
    }

    /// Removes all or some of the waiting effects, and returns them.
    func dropWaiting(_ isUnwanted: (EffectTask) -> Bool = { _ in true }) -> [EffectTask] {
        waiting.isEmpty ? [] : waiting.removeAll(where: isUnwanted)
    }

    func dropRunning() -> [EffectTask] {
        places = 0
        return running.removeAll()
    }

    /// Moves waiting effects to the running ones, as far as their limits allow, and returns them.
    func takeReady() -> [EffectTask] {
        var ready: [EffectTask] = []
        while let first = waiting.first, let limit = first.policy.limit, places < limit {
            waiting.remove(first)
            run(first, isCovered: false)
            ready.append(first)
        }
        return ready
    }
}
