// SPDX-License-Identifier: Apache-2.0

/// The position of an effect in its registry. It is stored in the effect, so that lists need no memory.
struct EffectPlace {
    enum Row { case none, running, waiting }

    var row = Row.none
    /// Counts the effects of the registry, by the time at which they were admitted.
    var number: UInt64 = 0
    var next: EffectTask?
    /// The effect before in the same list, which keeps it alive.
    unowned(unsafe) var previous: EffectTask?
    /// Whether the effect is a part of an effect with the same token, and shares its place.
    var isCovered = false
    /// Whether the body has not returned yet. Until then others wait for this effect, although it may have ended.
    var isBeginning = false
    var hasEnded = false
}

/// A linked list of effects. An effect is in one list at most. Adding and removing take constant time.
struct EffectList {
    private(set) var first: EffectTask?
    /// Kept alive by the list.
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

    /// Removes all or some of the effects, and returns them.
    mutating func removeAll(where isUnwanted: (EffectTask) -> Bool = { _ in true }) -> [EffectTask] {
        let unwanted = all.filter(isUnwanted)
        for effectTask in unwanted { remove(effectTask) }
        return unwanted
    }
}
