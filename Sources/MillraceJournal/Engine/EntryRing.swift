// SPDX-License-Identifier: Apache-2.0

public import Millrace
public import MillraceCore
public import MillraceRecords
public import Synchronization

/// An action on its way to the journal.
@usableFromInline
struct JournalEntry<Action> {
    @usableFromInline let action: Action
    @usableFromInline let sequence: UInt64
    @usableFromInline let cause: ActionCause
    @usableFromInline let time: ActionTime
    @usableFromInline let source: ActionSource
    @usableFromInline let mark: ProducerMark?

    @inlinable
    init(_ action: Action, _ taken: TakenAction, _ time: ActionTime, _ mark: ProducerMark?) {
        self.action = action
        sequence = taken.number
        cause = taken.cause
        self.time = time
        source = taken.source
        self.mark = mark
    }

    /// Appends the action to a frame, and says why if it cannot.
    @inlinable @inline(__always)
    func append<Codec: ActionCodec>(
        to frame: inout FrameBuilder,
        _ marks: inout GroupMarks,
        by codec: Codec
    ) -> TakenEntries.Problem? where Codec.Action == Action {
        // The sequences in a frame are consecutive: its records do not hold them.
        guard frame.count == 0 || sequence == frame.nextSequence else {
            return .outOfOrder(expected: frame.nextSequence, found: sequence)
        }
        do throws(CodecError) {
            try frame.append(action, sequence, cause, time, source, by: codec)
        } catch {
            return .codec(error)
        }
        if let mark { marks.add(mark) }
        return nil
    }
}

/// A ring of actions. The pipeline appends them, and the journal's thread takes them.
///
/// **Invariant.** `tail` counts the appended entries, `head` the taken ones; 0 ≤ tail - head ≤ capacity. The entries
/// from `head` to `tail` belong to the taker, the others to the pipeline. Each side stores its own count after it has
/// finished with the entry (releasing), and loads the other's (acquiring).
///
/// The pipeline's side is compiled in the client's module, where the type of the actions is known.
@usableFromInline
final class EntryRing<Action>: @unchecked Sendable {
    // Unchecked because of the invariant.
    @usableFromInline let entries: UnsafeMutablePointer<JournalEntry<Action>>
    @usableFromInline let mask: UInt64
    @usableFromInline let capacity: UInt64
    @usableFromInline let head = Atomic<UInt64>(0)
    /// Acquiring loads elsewhere read it as a statistic, too.
    @usableFromInline let tail = Atomic<UInt64>(0)
    /// The pipeline's own: what it has appended, and the last `head` that it has seen.
    @usableFromInline @exclusivity(unchecked) var appended: UInt64 = 0
    @usableFromInline @exclusivity(unchecked) var seenHead: UInt64 = 0
    /// How often the pipeline had to wait for room. A statistic: relaxed.
    let waits = Atomic<UInt64>(0)
    /// Whether the journal has failed: nothing is recorded any more. Sequentially consistent: see Parking.
    @usableFromInline let isClosed = Atomic<Bool>(false)
    /// Whether the pipeline no longer waits, because its store drops the actions that are not durable. Sequentially
    /// consistent: see Parking.
    @usableFromInline let isInterrupted = Atomic<Bool>(false)
    let taker: Parking
    let pipeline: Parking
    /// Called with true when the pipeline begins to wait, and with false when it goes on. The pipeline's own.
    @exclusivity(unchecked) var tellWait: ((Bool) -> Void)?

    /// - Parameter capacity: A power of two.
    init(capacity: Int, _ world: (any StoreWorld)?) {
        taker = Parking("waits for actions", world)
        pipeline = Parking("waits for the journal", world)
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
    @inlinable @inline(__always)
    func append(_ entry: @autoclosure () -> JournalEntry<Action>) -> Bool {
        if appended &- seenHead >= capacity {
            // Acquiring: pairs with take(atMost:_:).
            seenHead = head.load(ordering: .acquiring)
            if appended &- seenHead >= capacity { return false }
        }
        (entries + Int(appended & mask)).initialize(to: entry())
        appended &+= 1
        // The taker does not see the entry before handOver(). After half a ring it does, so that it works during a long
        // batch, too.
        if appended & (capacity / 2 - 1) == 0 { handOver() }
        return true
    }

    /// Appends an action; blocks while there is no room. The pipeline only.
    @inlinable @inline(__always)
    func record(_ address: UnsafeRawPointer, _ taken: TakenAction, _ time: ActionTime, _ mark: ProducerMark?) {
        let action = address.assumingMemoryBound(to: Action.self)
        // Relaxed: if the load is late, a few more entries are appended, and the taker drops them.
        while !isClosed.load(ordering: .relaxed) {
            if append(JournalEntry(action.pointee, taken, time, mark)) { return }
            // Acquiring: pairs with interrupt(), so that the pipeline then sees that its store was abandoned. This is
            // its last action, which is never acknowledged. Without that, the next one could leave a gap in the
            // journal.
            if isInterrupted.load(ordering: .acquiring) { return }
            waitForRoom()
        }
    }

    /// Makes all appended entries visible to the taker, and wakes it. The pipeline only.
    @usableFromInline
    func handOver() {
        guard tail.load(ordering: .relaxed) != appended else { return }
        // Sequentially consistent: see Parking. It also releases the entries.
        tail.store(appended, ordering: .sequentiallyConsistent)
        taker.wake()
    }

    /// Blocks until there is room. The pipeline only.
    @usableFromInline
    func waitForRoom() {
        handOver()
        waits.add(1, ordering: .relaxed)
        wait { appended &- head.load(ordering: .sequentiallyConsistent) < capacity }
    }

    /// Blocks until a condition holds, or the pipeline need not wait. The condition must load sequentially consistently
    /// what the journal's thread stores. The pipeline only.
    func wait(until isReady: () -> Bool) {
        tellWait?(true)
        pipeline.sleep { isReady() || hasGivenUp }
        // A world has come to its end.
        if !isReady(), !hasGivenUp { isInterrupted.store(true, ordering: .sequentiallyConsistent) }
        tellWait?(false)
    }

    /// Whether the pipeline need not wait: the journal has failed, or the store drops what is not durable.
    var hasGivenUp: Bool {
        isClosed.load(ordering: .sequentiallyConsistent) || isInterrupted.load(ordering: .sequentiallyConsistent)
    }

    /// Ends the waits of the pipeline. Any thread.
    func interrupt() {
        isInterrupted.store(true, ordering: .sequentiallyConsistent)
        pipeline.wake()
    }

    /// Whether there is something to take. The taker only.
    var hasEntries: Bool { tail.load(ordering: .sequentiallyConsistent) != head.load(ordering: .relaxed) }

    /// Moves entries into a frame until it has this number of bytes, or until one cannot be written. The taker only.
    @inlinable
    func encode<Codec: ActionCodec>(
        into frame: inout FrameBuilder,
        _ marks: inout GroupMarks,
        until bytes: Int,
        by codec: Codec
    ) -> TakenEntries where Codec.Action == Action {
        let start = head.load(ordering: .relaxed)
        // Acquiring: pairs with handOver().
        let end = tail.load(ordering: .acquiring)
        var index = start
        var problem: TakenEntries.Problem?
        while index < end, problem == nil {
            // Moved, because the destruction in place looks up the type.
            let entry = (entries + Int(index & mask)).move()
            #if MILLRACE_PLANTED
                if Planted.has(.lastOfGroupLost), index + 1 == end, index > start {
                    index &+= 1
                    break
                }
            #endif
            problem = entry.append(to: &frame, &marks, by: codec)
            index &+= 1
            if frame.bytes >= bytes { break }
        }
        taken(from: start, to: index)
        return TakenEntries(count: Int(index - start), problem: problem)
    }

    /// Drops the entries, and returns how many. The taker only.
    func drop() -> Int {
        let start = head.load(ordering: .relaxed)
        // Acquiring: pairs with handOver().
        let end = tail.load(ordering: .acquiring)
        for index in start..<end { (entries + Int(index & mask)).deinitialize(count: 1) }
        taken(from: start, to: end)
        return Int(end - start)
    }

    @usableFromInline
    func taken(from start: UInt64, to end: UInt64) {
        if end == start { return }
        // Sequentially consistent: see Parking.
        head.store(end, ordering: .sequentiallyConsistent)
        pipeline.wake()
    }
}
