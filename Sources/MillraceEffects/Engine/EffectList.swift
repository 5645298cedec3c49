// SPDX-License-Identifier: Apache-2.0

/// Where an effect is in its registry. It is part of the effect, so that lists need no memory.
struct EffectPlace {
    enum Row { case none, running, waiting }

    var row = Row.none
    var next: EffectTask?
    /// In the same list, which keeps it.
    unowned(unsafe) var previous: EffectTask?
    /// Whether it is a part of an effect of the same token, and uses the place of that.
    var isCovered = false
    /// Whether its body has yet to return; until then others wait for it, though it may have ended.
    var isBeginning = false
    var hasEnded = false
}

/// Effects in a row, each in one at most. Adding and removing take constant time.
struct EffectList {
    private(set) var first: EffectTask?
    /// Kept by the row.
    private unowned(unsafe) var last: EffectTask?
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    var all: [EffectTask] {
        var all: [EffectTask] = []
        var next = first
        while let effectTask = next {
            all.append(effectTask)
            next = effectTask.place.next
        }
        return all
    }

    mutating func append(_ effectTask: EffectTask, to row: EffectPlace.Row) {
        effectTask.place.row = row
        effectTask.place.previous = last
        if let last { last.place.next = effectTask } else { first = effectTask }
        last = effectTask
        count += 1
    }

    mutating func remove(_ effectTask: EffectTask) {
        let next = effectTask.place.next
        let previous = effectTask.place.previous
        if let next { next.place.previous = previous } else { last = previous }
        if let previous { previous.place.next = next } else { first = next }
        effectTask.place.next = nil
        effectTask.place.previous = nil
        effectTask.place.row = .none
        count -= 1
    }

    /// Takes out all, or some.
    mutating func removeAll(where isUnwanted: (EffectTask) -> Bool = { _ in true }) -> [EffectTask] {
        let unwanted = all.filter(isUnwanted)
        for effectTask in unwanted { remove(effectTask) }
        return unwanted
    }
}
