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
        /// Blocks until all actions up to a sequence are durable, as ``JournalPort/durable`` says. Returns false if
        /// they never will be.
        let wait: (JournalPort, UInt64) -> Bool
        /// Takes the state after an action, for a snapshot, and the marks of the producers.
        let takeSnapshot: (AnyObject, UInt64, [String: (number: UInt64, sequence: UInt64)]) -> Void
        /// Blocks until a condition holds. The journal looks at it again when more is durable and when an effect has
        /// ended or waits for room. Returns false if the wait was ended before the condition held.
        let waitUntil: (() -> Bool) -> Bool
        /// Ends the waits of the pipeline, which then drops what is not durable. Any thread.
        let interrupt: @Sendable () -> Void
        /// Gives the journal a closure that it calls with true when the pipeline begins to wait in one of these calls,
        /// and with false when the pipeline goes on.
        let tellWaits: (@escaping (Bool) -> Void) -> Void
        /// The pipeline has ended. Blocks until the journal has written everything.
        let end: () -> Void

        package init(
            record: @escaping Record,
            handOver: @escaping () -> Void,
            wait: @escaping (JournalPort, UInt64) -> Bool,
            takeSnapshot: @escaping (AnyObject, UInt64, [String: (number: UInt64, sequence: UInt64)]) -> Void,
            waitUntil: @escaping (() -> Bool) -> Bool,
            interrupt: @escaping @Sendable () -> Void,
            tellWaits: @escaping (@escaping (Bool) -> Void) -> Void,
            end: @escaping () -> Void
        ) {
            self.record = record
            self.handOver = handOver
            self.wait = wait
            self.takeSnapshot = takeSnapshot
            self.waitUntil = waitUntil
            self.interrupt = interrupt
            self.tellWaits = tellWaits
            self.end = end
        }
    }

    /// The last action of the state that the store begins with.
    package let base: UInt64
    /// The last action of the journal. Those after ``base`` are handled again before any other action: see ``Replay``.
    package let last: UInt64
    /// The effects that are under way; nil: none of them begins again after a recovery.
    package let openEffects: OpenEffects?
    /// Whether the pipeline waits at the first IO or effect of an action, instead of holding it.
    package let isExact: Bool
    /// Whether others see a state only when its actions are durable.
    let isVisibleWhenDurable: Bool
    /// The number of actions between two snapshots; 0: none are taken.
    private let snapshotInterval: UInt64
    private let mostHeld: Int
    let calls: Calls
    /// What the journal keeps with the store, such as the report of its recovery.
    package let attachment: any AnyObject & Sendable

    /// All actions up to this sequence are durable. The journal's thread stores it (releasing), then wakes the pipeline
    /// if ``isAwaited``; the consumer loads it (acquiring).
    package let durable: Atomic<UInt64>
    /// Whether the pipeline wants to be woken when `durable` grows. The consumer stores it before it looks at `durable`
    /// again and sleeps (sequentially consistent on both sides: one of the two sees the other's store).
    package let isAwaited = Atomic<Bool>(false)
    /// The number of held bodies, and of those that were dropped. Statistics: relaxed, but for the end.
    package let heldCount = Atomic<Int>(0)
    package let droppedCount = Atomic<Int>(0)
    /// Whether held bodies are dropped instead of run: the journal has failed. Set by any thread.
    package let isFailed = Atomic<Bool>(false)
    /// The error of the journal, if it has failed and closes the store. Set before the store is closed. Any thread.
    package let failure = Locked<(any Error)?>(nil)

    /// Whether the store is complete: its journal has begun, and the shards of a sharded store know each other. The
    /// consumer handles nothing before that. The thread that makes the store stores it (releasing), the consumer loads
    /// it (acquiring).
    let isConnected = Atomic<Bool>(false)
    /// Whether the recovery has succeeded. Held work of recorded actions does not run before that. The thread that
    /// makes the store stores it and then wakes the consumer; the consumer loads it before it sleeps (sequentially
    /// consistent on both sides: one of the two sees what the other did).
    let isRecovered = Atomic<Bool>(false)
    /// Whether the pipeline handles recorded actions again: what it dispatches meanwhile is in the journal. The
    /// consumer changes it. Relaxed: other threads are not asked to see it.
    let isReplaying = Atomic<Bool>(false)
    /// The recorded actions to handle again; nil if there are none, or when that is done. Set before the store is shared.
    @exclusivity(unchecked) package var replay: Replay?
    /// Handles recorded actions again. Set before the store is shared.
    @usableFromInline @exclusivity(unchecked) var handleAgain: (((ReplayedAction) -> Void) -> Void) -> Void = { _ in }

    @exclusivity(unchecked) private var held = HeldWork()
    /// Whether the pipeline waits while too many effects are under way. Not where an effect that dispatches runs the
    /// pipeline: it would wait for itself. Set before the store is shared.
    @exclusivity(unchecked) var waitsForEffects = true
    /// Whether an effect waits for room in this store, which only the pipeline can make. Set before the store is
    /// shared.
    @exclusivity(unchecked) var hasWaitingEffects: () -> Bool = { false }
    /// Whether held work is running: the effects that it starts need not be held.
    @exclusivity(unchecked) private(set) var isReleasing = false
    /// The last action in the state that a held body reads; nil: the body reads the live state, or none runs.
    @exclusivity(unchecked) var shown: UInt64?
    /// A state that others may see when its last action is durable.
    @exclusivity(unchecked) var unseen: (state: AnyObject, sequence: UInt64)?
    /// Others see the state after this action.
    @exclusivity(unchecked) var visible: UInt64
    /// Whether the journal has given up: nothing more becomes durable.
    @exclusivity(unchecked) private(set) var hasGivenUp = false
    /// The last action that was recorded.
    @exclusivity(unchecked) var recorded: UInt64
    /// The last number of each producer, and the sequence of that action.
    @exclusivity(unchecked) private var marks: ProducerMarks
    /// The probe of the store, which is told when the pipeline waits.
    @usableFromInline @exclusivity(unchecked) var probe: ProbeBox?
    /// The forgotten producers that the journal has not been told of.
    @exclusivity(unchecked) private var forgotten: [String] = []
    @exclusivity(unchecked) private var pendingMark: ProducerMark?
    /// Set before the store is shared.
    @exclusivity(unchecked) var clock = BatchClock()
    @exclusivity(unchecked) private var nextSnapshot: UInt64
    /// Returns a copy of the live state in an object; exchanges the live state with that in such an object. Set before
    /// the store is shared.
    @usableFromInline @exclusivity(unchecked) var capture: () -> AnyObject = { JournalPort.shared }
    @usableFromInline @exclusivity(unchecked) var exchange: (AnyObject) -> Void = { _ in }

    private static let shared = HeldBodies()
    private final class HeldBodies: Sendable {}

    package init(
        base: UInt64,
        last: UInt64,
        openEffects: OpenEffects?,
        marks: [String: (number: UInt64, sequence: UInt64)],
        isExact: Bool,
        isVisibleWhenDurable: Bool,
        snapshotInterval: UInt64,
        mostHeld: Int,
        attachment: any AnyObject & Sendable,
        calls: Calls
    ) {
        self.base = base
        self.last = last
        self.openEffects = openEffects
        self.marks = ProducerMarks(marks)
        self.isExact = isExact
        self.isVisibleWhenDurable = isVisibleWhenDurable
        visible = base
        self.snapshotInterval = snapshotInterval
        self.mostHeld = mostHeld
        self.attachment = attachment
        self.calls = calls
        durable = Atomic(last)
        recorded = base
        nextSnapshot = snapshotInterval == 0 ? .max : (last / snapshotInterval &+ 1) &* snapshotInterval
        // The journal calls it on the pipeline's thread only, as long as that runs, and the pipeline holds the port.
        calls.tellWaits { [unowned self] begins in
            begins ? probe?.stageBegan(.journal) : probe?.stageEnded(.journal)
        }
    }

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

    /// The last number of each producer.
    package var lastNumbers: [String: UInt64] { marks.all.mapValues(\.number) }

    /// Forgets a producer. The journal is told with the next action, or when the store ends.
    package func forget(_ producer: String) {
        guard marks.remove(producer) else { return }
        forgotten.append(producer)
    }

    /// Records the action that is handled next. It is called between two actions, so it first runs the held work that
    /// is durable by now.
    @usableFromInline
    func takeUp(_ action: UnsafeRawPointer, _ taken: TakenAction) {
        if !held.isEmpty { releaseBetweenActions() }
        if let openEffects, openEffects.isFull, waitsForEffects { waitForEffects(openEffects) }
        #if MILLRACE_PLANTED
            if Planted.has(.markTooSoon), let mark = pendingMark {
                marks.set(mark.producer, (mark.number, taken.number))
            }
        #endif
        if recorded == nextSnapshot { takeSnapshot() }
        let time = clock.now
        taken.setTime(time)
        if pendingMark == nil, forgotten.isEmpty {
            calls.record(action, taken, time, nil)
        } else {
            recordWithMark(action, taken, time)
        }
        recorded = taken.number
    }

    @inline(never)
    private func recordWithMark(_ action: UnsafeRawPointer, _ taken: TakenAction, _ time: ActionTime) {
        // After the snapshot is made, because the snapshot must not contain this action.
        var mark = pendingMark.take()
        if let mark { marks.set(mark.producer, (mark.number, taken.number)) }
        if !forgotten.isEmpty { mark = withForgotten(mark) }
        calls.record(action, taken, time, mark)
    }

    /// Gives the forgotten producers to the journal, with the mark of the next action.
    private func withForgotten(_ mark: ProducerMark?) -> ProducerMark {
        var others = takeForgotten()
        guard let mark else {
            let first = others.removeFirst()
            return ProducerMark(producer: first, number: 0, forgotten: others)
        }
        // If its own producer was forgotten, it has sent again.
        others.removeAll { $0 == mark.producer }
        return ProducerMark(producer: mark.producer, number: mark.number, forgotten: others)
    }

    /// Returns the forgotten producers that the journal was not told of. The consumer, or the journal after the
    /// pipeline has ended.
    package func takeForgotten() -> [String] {
        defer { forgotten = [] }
        return forgotten
    }

    private func takeSnapshot() {
        nextSnapshot = recorded &+ snapshotInterval
        #if MILLRACE_PLANTED
            if Planted.has(.markNotInSnapshot) {
                let newest = marks.all.values.map(\.sequence).max()
                return calls.takeSnapshot(capture(), recorded, marks.all.filter { $0.value.sequence != newest })
            }
        #endif
        calls.takeSnapshot(capture(), recorded, marks.all)
    }

    /// Holds a body until the current action is durable. Returns false if the body may run now.
    ///
    /// If the store waits instead (``isExact``), the call blocks until the action is durable.
    func hold(_ body: @escaping () -> Void) -> Bool {
        if isReleasing { return false }
        guard !isExact || isReplaying.load(ordering: .relaxed) else { return !waitUntilDurable() }
        held.append(body, of: recorded)
        heldCount.store(held.count, ordering: .relaxed)
        return true
    }

    /// Blocks until the current action is durable. Returns false if it never will be: then its body is dropped.
    @usableFromInline
    func waitUntilDurable() -> Bool {
        if waits() { return true }
        droppedCount.add(1, ordering: .relaxed)
        return false
    }

    /// Blocks until everything that was recorded is durable. Returns false if it never will be.
    func waits() -> Bool {
        // Acquiring: pairs with the journal's store.
        if durable.load(ordering: .acquiring) >= recorded { return true }
        calls.handOver()
        if calls.wait(self, recorded) { return true }
        hasGivenUp = true
        return false
    }

    // MARK: Between two actions

    /// Whether held work can run now, or a state can be published that others could not see until now.
    var canRelease: Bool {
        let oldest = min(held.oldest ?? .max, unseen?.sequence ?? .max)
        guard oldest != .max else { return false }
        guard runsHeld else { return false }
        // Sequentially consistent, both: see `isAwaited`.
        return durable.load(ordering: .sequentiallyConsistent) >= oldest
            || isFailed.load(ordering: .sequentiallyConsistent)
    }

    /// Whether held work may run. Until then the pipeline does not wait for held work or effects: it would wait for
    /// ever.
    private var runsHeld: Bool { isRecovered.load(ordering: .sequentiallyConsistent) }

    private func releaseBetweenActions() {
        releaseDurable()
        if held.count >= mostHeld, runsHeld { waitForRoom() }
        if held.needsState { held.keep(capture()) }
    }

    /// Waits until fewer bodies are held than may be.
    private func waitForRoom() {
        // The bodies of this batch, too. The live state is the state after their actions.
        held.endGroup(last: recorded)
        calls.handOver()
        while held.count >= mostHeld, let oldest = held.oldest {
            // If the actions never become durable, the store drops what waits, and takes up no other action.
            if !releaseOnce(durable: oldest) { return }
        }
    }

    /// Waits for the oldest group, and runs it. Returns false if it never will be durable.
    private func releaseOnce(durable oldest: UInt64) -> Bool {
        let isDurable = calls.wait(self, oldest)
        releaseDurable()
        return isDurable
    }

    /// Waits until fewer effects are under way than may be. Those that are held begin meanwhile.
    ///
    /// But not while an effect waits for room in this store: the two would wait for each other. So more effects may be
    /// under way than the limit says, by the effects that the actions in the queue start.
    private func waitForEffects(_ openEffects: OpenEffects) {
        guard runsHeld else { return }
        held.endGroup(last: recorded)
        calls.handOver()
        while openEffects.isFull, !hasWaitingEffects() {
            if let oldest = held.oldest {
                if !releaseOnce(durable: oldest) { return }
            } else {
                let goesOn = calls.waitUntil { !openEffects.isFull || hasWaitingEffects() }
                if !goesOn { return }
            }
        }
    }

    /// Ends the group of the replay.
    func endReplay() { held.endGroup(last: recorded) }

    /// Ends a batch: the work that it held becomes a group, and the journal may write.
    ///
    /// - Parameter position: The shared queue was consumed up to here; nil if other actions wait.
    func batchEnded(at position: UInt64?) {
        held.endGroup(last: recorded)
        clock.endBatch()
        calls.handOver()
        releaseDurable()
        openEffects?.settle(at: position, recorded)
        isAwaited.store(!held.isEmpty || unseen != nil, ordering: .sequentiallyConsistent)
    }

    /// Has the journal wake the pipeline when more is durable.
    func awaitDurable() { isAwaited.store(true, ordering: .sequentiallyConsistent) }

    /// Runs the groups that are durable. If the journal has failed, drops the others.
    private func releaseDurable() {
        // If the recovery fails, the store ends, and drops what is held.
        guard runsHeld else { return }
        // Before `durable`, so that what was durable when the journal failed still runs.
        let isLast = isFailed.load(ordering: .acquiring)
        while let oldest = held.oldest, isDurable(oldest) {
            let (body, state) = held.take()
            run(body, state, after: oldest)
        }
        if isLast { return dropHeld() }
        heldCount.store(held.count, ordering: .relaxed)
    }

    private func isDurable(_ sequence: UInt64) -> Bool {
        #if MILLRACE_PLANTED
            if Planted.has(.heldOneEarly) { return durable.load(ordering: .acquiring) >= sequence &- 1 }
        #endif
        return durable.load(ordering: .acquiring) >= sequence
    }

    private func run(_ body: () -> Void, _ state: AnyObject?, after sequence: UInt64) {
        #if MILLRACE_PLANTED
            let state = Planted.has(.heldStateLive) ? nil : state
        #endif
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
        if isVisibleWhenDurable { _ = waits() }
    }

    /// Drops everything that is held.
    func dropHeld() {
        hasGivenUp = true
        guard !held.isEmpty else { return }
        droppedCount.add(held.count, ordering: .relaxed)
        let removed = held.removeAll()
        // Releasing: the number of dropped ones comes first. Pairs with the report of a shutdown.
        heldCount.store(0, ordering: .releasing)
        withExtendedLifetime(removed) {}
    }

    /// Ends the waits of the pipeline, which then drops what is not durable. Any thread.
    func interrupt() { calls.interrupt() }

    /// Tells the journal that the pipeline has ended. The journal writes the rest.
    func end() {
        openEffects?.settle(at: .max, recorded)
        openEffects?.close()
        calls.end()
        // The journal may live longer than the store, whose state these hold.
        capture = { JournalPort.shared }
        exchange = { _ in }
        handleAgain = { _ in }
        unseen = nil
        probe = nil
    }
}
