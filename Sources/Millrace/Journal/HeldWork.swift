// SPDX-License-Identifier: Apache-2.0

/// The IOs and beginnings of effects that may not run before their action is durable. They are kept in their order, in
/// groups. A group ends with a batch of the pipeline. Only the consumer uses this.
struct HeldWork {
    private struct Group {
        /// The first action of the batch that has something in the group, and the last action of the batch.
        let first: UInt64
        let last: UInt64
        /// The state after it; nil as long as no action was handled since.
        var state: AnyObject?
        var bodies: [() -> Void]
        /// The first body that has not run.
        var next = 0
    }

    private var groups: [Group] = []
    private var firstGroup = 0
    /// The bodies of the current batch.
    private var open: [() -> Void] = []
    private var openFirst: UInt64 = 0
    /// The number of bodies.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ body: @escaping () -> Void, of sequence: UInt64) {
        if open.isEmpty { openFirst = sequence }
        open.append(body)
        count += 1
    }

    /// Ends the group of a batch.
    mutating func endGroup(last: UInt64) {
        guard !open.isEmpty else { return }
        groups.append(Group(first: openFirst, last: last, bodies: open))
        open = []
    }

    /// Whether the state must be kept before it changes.
    var needsState: Bool { groups.count > firstGroup && groups[groups.count - 1].state == nil }

    /// Keeps the state after the last group.
    mutating func keep(_ state: AnyObject) {
        groups[groups.count - 1].state = state
    }

    /// The first action of which something is held; nil if nothing is.
    var first: UInt64? {
        if firstGroup < groups.count { return groups[firstGroup].first }
        return open.isEmpty ? nil : openFirst
    }

    /// The last action of the oldest group; nil if no group has ended.
    var oldest: UInt64? { firstGroup < groups.count ? groups[firstGroup].last : nil }

    /// Removes and returns the next body of the oldest group, with the state that it reads. If that is nil, it reads
    /// the live state.
    mutating func take() -> (body: () -> Void, state: AnyObject?) {
        let next = groups[firstGroup].next
        let taken = (groups[firstGroup].bodies[next], groups[firstGroup].state)
        groups[firstGroup].next = next + 1
        count -= 1
        if next + 1 == groups[firstGroup].bodies.count { removeOldest() }
        return taken
    }

    private mutating func removeOldest() {
        groups[firstGroup].bodies = []
        groups[firstGroup].state = nil
        firstGroup += 1
        if firstGroup == groups.count {
            groups.removeAll(keepingCapacity: true)
            firstGroup = 0
        } else if firstGroup > 64, firstGroup > groups.count / 2 {
            groups.removeFirst(firstGroup)
            firstGroup = 0
        }
    }

    /// Removes everything, and returns it for the caller to release.
    mutating func removeAll() -> Any {
        defer { self = HeldWork() }
        return (groups, open)
    }
}
