// SPDX-License-Identifier: Apache-2.0

/// Where an effect is in its registry. It is part of the effect, so that lists need no memory.
struct EffectPlace {
    enum Row { case none, running, waiting }

    var row = Row.none
    var next: EffectLife?
    /// In the same list, which keeps it.
    unowned(unsafe) var previous: EffectLife?
    /// Whether it is a part of an effect of the same token, and uses the place of that.
    var isCovered = false
    /// Whether its body has yet to return; until then others wait for it, though it may have ended.
    var isBeginning = false
    var hasEnded = false
}

/// Effects in a row, each in one at most. Adding and removing take constant time.
struct EffectList {
    private(set) var first: EffectLife?
    /// Kept by the row.
    private unowned(unsafe) var last: EffectLife?
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    var all: [EffectLife] {
        var all: [EffectLife] = []
        var next = first
        while let life = next {
            all.append(life)
            next = life.place.next
        }
        return all
    }

    mutating func append(_ life: EffectLife, to row: EffectPlace.Row) {
        life.place.row = row
        life.place.previous = last
        if let last { last.place.next = life } else { first = life }
        last = life
        count += 1
    }

    mutating func remove(_ life: EffectLife) {
        let next = life.place.next
        let previous = life.place.previous
        if let next { next.place.previous = previous } else { last = previous }
        if let previous { previous.place.next = next } else { first = next }
        life.place.next = nil
        life.place.previous = nil
        life.place.row = .none
        count -= 1
    }

    /// Takes out all, or some.
    mutating func removeAll(where isUnwanted: (EffectLife) -> Bool = { _ in true }) -> [EffectLife] {
        let unwanted = all.filter(isUnwanted)
        for life in unwanted { remove(life) }
        return unwanted
    }
}
