// SPDX-License-Identifier: Apache-2.0

import MillraceRecords

/// The indices of the minutes that got events since the last `take(into:)`, each once.
///
/// Events come minute by minute. So this costs one comparison per event, and a few more array accesses per minute.
struct ChangedMinutes: Sendable {
    private var places: ContiguousArray<UInt32> = []
    /// Whether a minute is in the list, by its index.
    private var isNoted: ContiguousArray<Bool> = []
    /// The index that was noted last. Index 0 stands for the minutes that did not fit into the table, and is never
    /// noted.
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

    /// Replaces the content of another list with the noted minutes, and starts again with none.
    mutating func take(into other: inout ContiguousArray<UInt32>) {
        for place in places { isNoted[Int(place)] = false }
        last = 0
        swap(&places, &other)
        places.removeAll(keepingCapacity: true)
    }
}

extension ChangedMinutes {
    /// Writes the list for a snapshot.
    func write(to output: inout RecordBuffer) {
        output.append(contentsOf: places)
        output.append(UInt64(isNoted.count))
        output.append(UInt64(last))
    }

    /// Reads a list from a snapshot; `minutes` is the number of entries in the table of minutes.
    init(_ bytes: inout StateBytes, minutes: Int) throws(CodecError) {
        places = try bytes.array(of: UInt32.self)
        let count = try bytes.count(atMost: minutes)
        guard places.allSatisfy({ $0 < count }) else { throw bytes.damaged("a minute that is in no table") }
        isNoted = ContiguousArray(repeating: false, count: count)
        for place in places { isNoted[Int(place)] = true }
        last = try bytes.count(atMost: count)
    }
}
