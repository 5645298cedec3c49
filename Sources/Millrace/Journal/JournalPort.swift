// SPDX-License-Identifier: Apache-2.0

package import MillraceCore
package import Synchronization

/// The connection between the pipeline of one store and the journal that records its actions.
///
/// The pipeline passes each action to the journal before it handles the action. The port holds IOs and the beginnings
/// of effects until the journal says that their action is durable. If ``isExact``, the pipeline waits for that instead.
///
/// **Threads.** The `var` properties and the functions without a note belong to the consumer, like those of
/// ``Consumer``.
@usableFromInline
package final class JournalPort: @unchecked Sendable {
    // Unchecked because the consumer's role guards every mutable field; the others are atomic or constant.

    /// Takes a copy of an action.
    @usableFromInline
    package typealias Record = (UnsafeRawPointer, TakenAction, ActionTime, ProducerMark?) -> Void

    /// What the port asks of the journal. On the consumer's thread, except `interrupt`.
    package struct Calls {
        /// Takes a copy of an action, at this address. May block until there is room.
        let record: Record
        /// Tells the journal that it may write the recorded actions now: a batch has ended, or the pipeline waits for
        /// them.
        let handOver: () -> Void
        /// Blocks until all actions up to a sequence are durable, as ``JournalPort/durable`` says. Returns false if they
        /// never will be.
        let wait: (JournalPort, UInt64) -> Bool
        /// Takes the state after an action, for a snapshot, and the marks of the producers.
        let takeSnapshot: (AnyObject, UInt64, [String: (number: UInt64, sequence: UInt64)]) -> Void
        /// Ends the waits of the pipeline, which then drops what is not durable. Any thread.
        let interrupt: @Sendable () -> Void
        /// The pipeline has ended. Blocks until the journal has written everything.
        let end: () -> Void

        package init(
            record: @escaping Record,
            handOver: @escaping () -> Void,
            wait: @escaping (JournalPort, UInt64) -> Bool,
            takeSnapshot: @escaping (AnyObject, UInt64, [String: (number: UInt64, sequence: UInt64)]) -> Void,
            interrupt: @escaping @Sendable () -> Void,
            end: @escaping () -> Void
        ) {
            self.record = record
            self.handOver = handOver
            self.wait = wait
            self.takeSnapshot = takeSnapshot
            self.interrupt = interrupt
            self.end = end
        }
    }

    /// The last action of the recovered state. The next one has the sequence after it.
    package let base: UInt64
    /// Whether the pipeline waits at the first IO or effect of an action, instead of holding it.
    package let isExact: Bool
    /// The number of actions between two snapshots; 0: none are taken.
    private let snapshotInterval: UInt64
    private let mostHeld: Int
    private let calls: Calls
    /// What the journal keeps with the store, such as the report of its recovery.
    package let attachment: any AnyObject & Sendable

    /// All actions up to this sequence are durable. The journal's thread stores it (releasing), then wakes the pipeline if
    /// ``isAwaited``; the consumer loads it (acquiring).
    package let durable: Atomic<UInt64>
    /// Whether the pipeline wants to be woken when `durable` grows. The consumer stores it before it looks at `durable`
    /// again and sleeps (sequentially consistent on both sides: one of the two sees the other's store).
    package let isAwaited = Atomic<Bool>(false)
    /// The number of held bodies, and of those that were dropped. Statistics: relaxed.
    package let heldCount = Atomic<Int>(0)
    package let droppedCount = Atomic<Int>(0)
    /// Whether held bodies are dropped instead of run: the journal has failed. Set by any thread.
    package let isFailed = Atomic<Bool>(false)

    @exclusivity(unchecked) private var held = HeldWork()
    /// Whether held work is running: the effects that it starts need not be held.
    @exclusivity(unchecked) private var isReleasing = false
    /// The last action in the state that a held body reads; nil: the body reads the live state, or none runs.
    @exclusivity(unchecked) private(set) var shown: UInt64?
    /// The last action that was recorded.
    @exclusivity(unchecked) private(set) var recorded: UInt64
    /// The last number of each producer, and the sequence of that action.
    @exclusivity(unchecked) private var marks: [String: (number: UInt64, sequence: UInt64)]
    @exclusivity(unchecked) private var pendingMark: ProducerMark?
    @exclusivity(unchecked) private var clock = BatchClock()
    @exclusivity(unchecked) private var nextSnapshot: UInt64
    /// Returns a copy of the live state in an object; exchanges the live state with that in such an object. Set before
    /// the store is shared.
    @usableFromInline @exclusivity(unchecked) var capture: () -> AnyObject = { JournalPort.shared }
    @usableFromInline @exclusivity(unchecked) var exchange: (AnyObject) -> Void = { _ in }

    private static let shared = HeldBodies()
    private final class HeldBodies: Sendable {}

    package init(
        base: UInt64,
        marks: [String: (number: UInt64, sequence: UInt64)],
        isExact: Bool,
        snapshotInterval: UInt64,
        mostHeld: Int,
        attachment: any AnyObject & Sendable,
        calls: Calls
    ) {
        self.base = base
        self.marks = marks
        self.isExact = isExact
        self.snapshotInterval = snapshotInterval
        self.mostHeld = mostHeld
        self.attachment = attachment
        self.calls = calls
        durable = Atomic(base)
        recorded = base
        nextSnapshot = snapshotInterval == 0 ? .max : (base / snapshotInterval &+ 1) &* snapshotInterval
    }

    /// Whether something is held.
    var hasHeld: Bool { !held.isEmpty }

    /// Whether something of an action up to this one is held.
    func holds(upTo sequence: UInt64) -> Bool { held.first.map { $0 <= sequence } ?? false }

    // MARK: The current action

    /// Returns whether the pipeline must handle a numbered action. If not, it sends the answer to the producer.
    @usableFromInline
    func admits(_ run: NumberedRun) -> Bool {
        let number = run.number
        let mark = marks[run.producer]
        let expected = (mark?.number ?? 0) &+ 1
        if number == expected {
            pendingMark = ProducerMark(producer: run.producer, number: number)
            run.reply(.accepted(sequence: recorded &+ 1))
            return true
        }
        if number > 0, number < expected, let mark {
            run.reply(.duplicate(mark: mark.number, sequence: mark.sequence))
        } else if mark != nil || number == 0 {
            run.reply(.gap(expected: expected))
        } else {
            run.reply(.unknownProducer)
        }
        return false
    }

    /// The last number of a producer that was handled; 0 for an unknown one.
    package func lastNumber(of producer: String) -> UInt64 { marks[producer]?.number ?? 0 }

    /// Records the action that is handled next. It is called between two actions, so it first runs the held work that
    /// is durable by now.
    @usableFromInline
    func takeUp(_ action: UnsafeRawPointer, _ taken: TakenAction) {
        if !held.isEmpty { releaseBetweenActions() }
        if recorded == nextSnapshot { takeSnapshot() }
        let time = clock.now
        taken.setTime(time)
        // After the snapshot is made, because the snapshot must not contain this action.
        let mark = pendingMark.take()
        if let mark { marks[mark.producer] = (mark.number, taken.number) }
        calls.record(action, taken, time, mark)
        recorded = taken.number
    }

    private func takeSnapshot() {
        nextSnapshot = recorded &+ snapshotInterval
        calls.takeSnapshot(capture(), recorded, marks)
    }

    /// Holds a body until the current action is durable. Returns false if the body may run now.
    ///
    /// If the store waits instead (``isExact``), the call blocks until the action is durable.
    func hold(_ body: @escaping () -> Void) -> Bool {
        if isReleasing { return false }
        guard !isExact else { return !waitUntilDurable() }
        held.append(body, of: recorded)
        heldCount.store(held.count, ordering: .relaxed)
        return true
    }

    /// Blocks until the current action is durable. Returns false if it never will be: then its body is dropped.
    @usableFromInline
    func waitUntilDurable() -> Bool {
        // Acquiring: pairs with the journal's store.
        if durable.load(ordering: .acquiring) >= recorded { return true }
        calls.handOver()
        if calls.wait(self, recorded) { return true }
        droppedCount.add(1, ordering: .relaxed)
        return false
    }

    // MARK: Between two actions

    /// Whether held work can run now.
    var canRelease: Bool {
        guard let oldest = held.oldest else { return false }
        // Sequentially consistent: see `isAwaited`.
        return durable.load(ordering: .sequentiallyConsistent) >= oldest || isFailed.load(ordering: .relaxed)
    }

    private func releaseBetweenActions() {
        releaseDurable()
        if held.count >= mostHeld { waitForRoom() }
        if held.needsState { held.keep(capture()) }
    }

    /// Waits until fewer bodies are held than may be.
    private func waitForRoom() {
        // The bodies of this batch, too. The live state is the state after their actions.
        held.endGroup(last: recorded)
        calls.handOver()
        while held.count >= mostHeld, let oldest = held.oldest {
            let isDurable = calls.wait(self, oldest)
            releaseDurable()
            // The store drops what waits, and takes up no other action.
            if !isDurable { return }
        }
    }

    /// Ends a batch: the work that it held becomes a group, and the journal may write.
    func batchEnded() {
        held.endGroup(last: recorded)
        clock.endBatch()
        calls.handOver()
        releaseDurable()
        isAwaited.store(!held.isEmpty, ordering: .sequentiallyConsistent)
    }

    /// Runs the groups that are durable.
    private func releaseDurable() {
        if isFailed.load(ordering: .acquiring) { return dropHeld() }
        while let oldest = held.oldest, durable.load(ordering: .acquiring) >= oldest {
            let (body, state) = held.take()
            run(body, state, after: oldest)
        }
        heldCount.store(held.count, ordering: .relaxed)
    }

    private func run(_ body: () -> Void, _ state: AnyObject?, after sequence: UInt64) {
        isReleasing = true
        if let state {
            exchange(state)
            shown = sequence
        }
        body()
        if let state {
            exchange(state)
            shown = nil
        }
        isReleasing = false
    }

    /// Waits until everything is durable, and runs the held work. That work may dispatch actions, which must be handled
    /// next.
    func finishHeld() {
        held.endGroup(last: recorded)
        calls.handOver()
        while let oldest = held.oldest {
            _ = calls.wait(self, oldest)
            let before = held.count
            releaseDurable()
            // The journal gave up without a failure: nothing more will become durable.
            if held.count == before { dropHeld() }
        }
    }

    /// Drops everything that is held.
    func dropHeld() {
        guard !held.isEmpty else { return }
        droppedCount.add(held.count, ordering: .relaxed)
        let removed = held.removeAll()
        heldCount.store(0, ordering: .relaxed)
        withExtendedLifetime(removed) {}
    }

    /// Ends the waits of the pipeline, which then drops what is not durable. Any thread.
    func interrupt() { calls.interrupt() }

    /// Tells the journal that the pipeline has ended. The journal writes the rest.
    func end() {
        calls.end()
        // The journal may live longer than the store, whose state these hold.
        capture = { JournalPort.shared }
        exchange = { _ in }
    }
}
