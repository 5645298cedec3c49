// SPDX-License-Identifier: Apache-2.0

/// The effects of one token: those at work, and those that wait for one of them to end.
struct EffectLane {
    private(set) var running = EffectList()
    private(set) var waiting = EffectList()
    /// How many places are taken.
    private var places = 0

    var isEmpty: Bool { running.isEmpty && waiting.isEmpty }

    /// All, and first those that have not begun: cancelled in this order, none of them begins.
    var all: [EffectLife] { waiting.isEmpty ? running.all : waiting.all + running.all }

    func hasPlace(limit: Int) -> Bool { waiting.isEmpty && places < limit }

    mutating func run(_ life: EffectLife, isCovered: Bool) {
        life.place.isCovered = isCovered
        life.place.isBeginning = life.policy.limit != nil
        running.append(life, to: .running)
        if !isCovered { places += 1 }
    }

    mutating func wait(_ life: EffectLife) {
        waiting.append(life, to: .waiting)
    }

    /// It has ended, or its body has returned. True if it has left.
    mutating func leave(_ life: EffectLife, isEnd: Bool) -> Bool {
        switch life.place.row {
        case .none:
            return false
        case .waiting:
            guard isEnd else { return false }
            waiting.remove(life)
            return true
        case .running:
            if isEnd { life.place.hasEnded = true } else { life.place.isBeginning = false }
            guard life.place.hasEnded, !life.place.isBeginning else { return false }
            running.remove(life)
            if !life.place.isCovered { places -= 1 }
            return true
        }
    }

    /// Takes out all or some of those that wait.
    mutating func dropWaiting(_ isUnwanted: (EffectLife) -> Bool = { _ in true }) -> [EffectLife] {
        waiting.isEmpty ? [] : waiting.removeAll(where: isUnwanted)
    }

    mutating func dropRunning() -> [EffectLife] {
        places = 0
        return running.removeAll()
    }

    /// Those whose turn it is: they count as running from now on.
    mutating func takeReady() -> [EffectLife] {
        var ready: [EffectLife] = []
        while let first = waiting.first, let limit = first.policy.limit, places < limit {
            waiting.remove(first)
            run(first, isCovered: false)
            ready.append(first)
        }
        return ready
    }
}
