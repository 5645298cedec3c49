// SPDX-License-Identifier: Apache-2.0

internal import Millrace
import MillraceCore
import MillraceRecords
import Synchronization

/// An action on its way to the journal.
struct JournalEntry<Action> {
    let action: Action
    let sequence: UInt64
    let cause: ActionCause
    let time: ActionTime
    let source: ActionSource
    let mark: ProducerMark?
}

/// The actions between the pipeline, which appends, and the journal's thread, which takes.
///
/// **Invariant.** `tail` counts the appended entries, `head` the taken ones; 0 ≤ tail - head ≤ capacity. The entries from
/// `head` to `tail` belong to the taker, the others to the pipeline. Each side stores its own count after it has finished
/// with the entry (releasing), and loads the other's (acquiring).
final class EntryRing<Action>: @unchecked Sendable {
    // Unchecked because of the invariant.
    private let entries: UnsafeMutablePointer<JournalEntry<Action>>
    private let mask: UInt64
    private let capacity: UInt64
    private let head = Atomic<UInt64>(0)
    private let tail = Atomic<UInt64>(0)
    /// The pipeline's own: what it has appended, and the last `head` that it has seen.
    @exclusivity(unchecked) private var appended: UInt64 = 0
    @exclusivity(unchecked) private var seenHead: UInt64 = 0
    /// How often the pipeline had to wait for room. A statistic: relaxed.
    let waits = Atomic<UInt64>(0)
    let taker = Parking()
    let pipeline = Parking()

    /// - Parameter capacity: A power of two.
    init(capacity: Int) {
        precondition(capacity > 0 && capacity & (capacity - 1) == 0)
        self.capacity = UInt64(capacity)
        mask = UInt64(capacity - 1)
        entries = .allocate(capacity: capacity)
    }

    deinit {
        var index = head.load(ordering: .acquiring)
        let end = tail.load(ordering: .acquiring)
        while index < end {
            (entries + Int(index & mask)).deinitialize(count: 1)
            index &+= 1
        }
        entries.deallocate()
    }

    /// Appends an entry. Returns false, and appends nothing, if there is no room. The pipeline only.
    @inline(__always)
    func append(_ entry: @autoclosure () -> JournalEntry<Action>) -> Bool {
        if appended &- seenHead >= capacity {
            // Acquiring: pairs with take(atMost:_:).
            seenHead = head.load(ordering: .acquiring)
            if appended &- seenHead >= capacity { return false }
        }
        (entries + Int(appended & mask)).initialize(to: entry())
        appended &+= 1
        // Not shown yet: see handOver(). Half a ring is, so that the taker works beside a long batch.
        if appended & (capacity / 2 - 1) == 0 { handOver() }
        return true
    }

    /// Shows the taker everything that was appended, and wakes it. The pipeline only.
    func handOver() {
        guard tail.load(ordering: .relaxed) != appended else { return }
        // Sequentially consistent: see Parking. It also releases the entries.
        tail.store(appended, ordering: .sequentiallyConsistent)
        taker.wake()
    }

    /// Blocks until there is room. The pipeline only.
    func waitForRoom() {
        handOver()
        waits.add(1, ordering: .relaxed)
        pipeline.sleep { appended &- head.load(ordering: .sequentiallyConsistent) < capacity }
    }

    /// Whether there is something to take. The taker only.
    var hasEntries: Bool { tail.load(ordering: .sequentiallyConsistent) != head.load(ordering: .relaxed) }

    /// Takes entries while `body` returns true, and returns how many. The taker only.
    func take(_ body: (borrowing JournalEntry<Action>) -> Bool) -> Int {
        let start = head.load(ordering: .relaxed)
        // Acquiring: pairs with handOver().
        let end = tail.load(ordering: .acquiring)
        var index = start
        var goesOn = true
        while index < end, goesOn {
            let place = entries + Int(index & mask)
            goesOn = body(place.pointee)
            place.deinitialize(count: 1)
            index &+= 1
        }
        if index != start {
            // Sequentially consistent: see Parking.
            head.store(index, ordering: .sequentiallyConsistent)
            pipeline.wake()
        }
        return Int(index - start)
    }
}
