// SPDX-License-Identifier: Apache-2.0

/// A first-in-first-out ring in one array. Each element carries the number of elements that were dropped before it.
struct StateRing<Element> {
    private typealias Entry = (element: Element, dropped: Int)

    private var entries: [Entry?] = []
    private var head = 0
    private(set) var count = 0

    /// The number of entries for which an empty ring keeps its memory.
    private static var kept: Int { 64 }

    mutating func append(_ element: Element, dropped: Int) {
        if count == entries.count { grow() }
        entries[(head + count) % entries.count] = (element, dropped)
        count += 1
    }

    mutating func popFirst() -> (element: Element, dropped: Int)? {
        guard count > 0 else { return nil }
        let first = entries[head].take()
        head = (head + 1) % entries.count
        count -= 1
        if count == 0, entries.count > Self.kept { self = StateRing() }
        return first
    }

    /// Adds to the number of elements that were dropped before the first one.
    mutating func addDropped(_ dropped: Int) {
        entries[head]?.dropped += dropped
    }

    private mutating func grow() {
        var larger: [Entry?] = []
        larger.reserveCapacity(max(1, 2 * count))
        // One by one: in unspecialised code, appending a slice would allocate for each element.
        for index in 0..<count { larger.append(entries[(head + index) % count].take()) }
        for _ in 0..<max(1, count) { larger.append(nil) }
        entries = larger
        head = 0
    }
}

extension StateRing: Sendable where Element: Sendable {}
