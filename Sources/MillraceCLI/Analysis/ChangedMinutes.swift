// SPDX-License-Identifier: Apache-2.0

/// The places of minutes that got events since somebody took them, each once: a few more array accesses a minute, and
/// one comparison an event, as events come minute by minute.
struct ChangedMinutes: Sendable {
    private var places: ContiguousArray<UInt32> = []
    /// By place: whether it is in the list.
    private var isNoted: ContiguousArray<Bool> = []
    /// The place that was noted last; place 0 is of minutes that are not kept apart, and is never noted.
    private var last = 0

    @inline(__always)
    mutating func note(_ place: Int) {
        if place != last { add(place) }
    }

    @inline(never)
    private mutating func add(_ place: Int) {
        last = place
        guard place > 0 else { return }
        let missing = place + 1 - isNoted.count
        if missing > 0 { isNoted.append(contentsOf: repeatElement(false, count: missing)) }
        guard !isNoted[place] else { return }
        isNoted[place] = true
        places.append(UInt32(place))
    }

    /// Puts what was noted into another list in the place of what that had, and begins anew.
    mutating func take(into other: inout ContiguousArray<UInt32>) {
        for place in places { isNoted[Int(place)] = false }
        last = 0
        swap(&places, &other)
        places.removeAll(keepingCapacity: true)
    }
}
