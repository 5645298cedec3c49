// SPDX-License-Identifier: Apache-2.0

/// The position of an effect in its registry. It is stored in the effect, so that lists need no memory.
struct EffectPlace {
    enum Row { case none, running, waiting }

    var row = Row.none
    /// Whether the effect is a part of an effect with the same token, and shares its place.
    var isCovered = false
    /// Counts the effects of the registry, by the time at which they were admitted.
    var number: UInt64 = 0
    /// The lane of its token, which exists as long as the effect is in a row; nil for an effect without a token.
    var lane: Unmanaged<EffectLane>?
    /// The effects after and before in the same list, which the list keeps alive.
    var next: Unmanaged<EffectTask>?
    var previous: Unmanaged<EffectTask>?
}

/// A linked list of effects, which it keeps alive. An effect is in one list at most. Adding and removing take constant
/// time.
///
/// The list counts its references by hand: once when an effect is added, and once when it is removed. It must be empty
/// when it is destroyed; the effects of a registry keep the registry alive until then.
struct EffectList {
    private var head: Unmanaged<EffectTask>?
    private var last: Unmanaged<EffectTask>?
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    var first: EffectTask? { head?.takeUnretainedValue() }

    var all: [EffectTask] {
        var all: [EffectTask] = []
        var next = head
        while let effectTask = next?.takeUnretainedValue() {
            all.append(effectTask)
            next = effectTask.place.next
        }
        return all
    }

    mutating func append(_ effectTask: EffectTask, to row: EffectPlace.Row) {
        let link = Unmanaged.passRetained(effectTask)
        effectTask.place.row = row
        effectTask.place.previous = last
        if let last { last._withUnsafeGuaranteedRef { $0.place.next = link } } else { head = link }
        last = link
        count += 1
    }

    /// The caller must keep the effect alive: releasing it may run any code, which must not run while a lock is held.
    mutating func remove(_ effectTask: EffectTask) {
        let next = effectTask.place.next
        let previous = effectTask.place.previous
        if let next { next._withUnsafeGuaranteedRef { $0.place.previous = previous } } else { last = previous }
        if let previous { previous._withUnsafeGuaranteedRef { $0.place.next = next } } else { head = next }
        effectTask.place.next = nil
        effectTask.place.previous = nil
        effectTask.place.row = .none
        count -= 1
        Unmanaged.passUnretained(effectTask).release()
    }

    /// Removes all or some of the effects, and returns them.
    mutating func removeAll(where isUnwanted: (EffectTask) -> Bool = { _ in true }) -> [EffectTask] {
        let unwanted = all.filter(isUnwanted)
        for effectTask in unwanted { remove(effectTask) }
        return unwanted
    }
}
