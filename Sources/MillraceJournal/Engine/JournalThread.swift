// SPDX-License-Identifier: Apache-2.0

import Dispatch
internal import Millrace
import MillraceCore
import MillraceRecords
import Synchronization

/// Takes the actions of one store from the ring, and writes them to the segments: encode, frame, write, sync. Then it
/// tells the store how far the actions are durable.
///
/// A group is the actions that came in during the last write and sync. It is one frame, so after a crash the file has
/// all of its actions or none.
final class JournalThread<Codec: ActionCodec, Folder: JournalFolder>: @unchecked Sendable {
    // Unchecked because only the journal's thread uses the `var` properties once it runs.
    let ring: EntryRing<Codec.Action>
    let state: JournalState
    private let coder: EntryCoder<Codec.Action>
    /// The type of the actions, for errors.
    private let typeName: String
    private let snapshots: SnapshotQueue<Folder>
    private let failurePolicy: JournalFailurePolicy
    @exclusivity(unchecked) private var writer: JournalWriter<Folder>
    @exclusivity(unchecked) private var port: JournalPort?
    @exclusivity(unchecked) private var marks = GroupMarks()
    /// Whether the first frame says that from here on nobody notes effects.
    @exclusivity(unchecked) private var endsTracking: Bool
    /// The watermark of ended effects that was written.
    @exclusivity(unchecked) private var finishedEffects: UInt64
    @exclusivity(unchecked) private var failure: JournalError?
    /// When the last sync began.
    @exclusivity(unchecked) private var lastSync: ContinuousClock.Instant
    /// Set by the pipeline when it has ended. Sequentially consistent: see Parking.
    private let isEnded = Atomic<Bool>(false)
    private let isDone = Atomic<Bool>(false)
    private let done: Parking

    /// A group ends with the action that reaches this size.
    private static var groupBytes: Int { 4 << 20 }
    /// How long the thread waits for room on a full disk before it tries again.
    private static var patience: Duration { .milliseconds(20) }
    /// How long it waits for room after the pipeline has ended: a store that was released has no deadline.
    private static var patienceAtEnd: Duration { .seconds(30) }

    init(
        _ writer: consuming JournalWriter<Folder>,
        _ codec: Codec,
        _ coder: EntryCoder<Codec.Action>,
        _ state: JournalState,
        _ snapshots: SnapshotQueue<Folder>,
        failurePolicy: JournalFailurePolicy,
        capacity: Int,
        endsTracking: Bool,
        finishedEffects: UInt64
    ) {
        self.endsTracking = endsTracking
        self.finishedEffects = finishedEffects
        self.writer = writer
        self.coder = coder
        typeName = codec.schema.type.name
        self.state = state
        self.snapshots = snapshots
        self.failurePolicy = failurePolicy
        ring = EntryRing(capacity: capacity, state.world)
        done = Parking("waits for the end of the journal", state.world)
        lastSync = state.now
    }

    /// Starts the thread. If the system has none, the journal has failed.
    func start(_ port: JournalPort) {
        self.port = port
        if let world = state.world { return world.service("journal") { self.run() } }
        guard !StoreThread.start(name: "millrace-journal", { self.run() }) else { return }
        fail(
            .system(
                FileError(
                    call: "pthread_create",
                    path: state.path,
                    reason: "The system has no thread",
                    meaning: .other
                )
            )
        )
        writer.giveUp()
        self.port = nil
        isDone.store(true, ordering: .sequentiallyConsistent)
        // The pipeline may wait for the end already: the failure has closed the store.
        done.wake()
    }

    /// Gives the lock back, in place of ``start(_:)``.
    func giveUp() { writer.giveUp() }

    // MARK: The pipeline's side

    /// Blocks until an action is durable. Returns false if it never will be.
    func wait(for sequence: UInt64, _ port: JournalPort) -> Bool {
        ring.handOver()
        ring.wait { port.durable.load(ordering: .sequentiallyConsistent) >= sequence }
        return port.durable.load(ordering: .acquiring) >= sequence
    }

    /// Blocks until everything is written and the files are closed.
    func end() {
        ring.handOver()
        isEnded.store(true, ordering: .sequentiallyConsistent)
        ring.taker.wake()
        done.sleep { isDone.load(ordering: .sequentiallyConsistent) }
    }

    // MARK: The journal's thread

    private func run() {
        while true {
            let isLast = isEnded.load(ordering: .sequentiallyConsistent)
            if writeGroup() { continue }
            if isLast || state.world?.isOver == true { break }
            do throws(JournalError) {
                if try syncIfDue() { continue }
            } catch {
                fail(error)
            }
            ring.taker.sleep(atMost: timeToSync) {
                ring.hasEntries || hasEnds || isEnded.load(ordering: .sequentiallyConsistent)
                    || snapshots.canWrite(upTo: writer.writtenThrough)
            }
        }
        close()
        port = nil
        isDone.store(true, ordering: .sequentiallyConsistent)
        done.wake()
    }

    /// Writes what is in the ring. Returns false if there is nothing.
    private func writeGroup() -> Bool {
        if failure != nil { return ring.drop() > 0 }
        let taken = coder.encode(ring, &writer.frame, &marks, state.durability == .every ? 0 : Self.groupBytes)
        if taken.count == 0, !hasEnds { return false }
        state.world?.pause("has encoded a group")
        do throws(JournalError) {
            // The actions before the one that cannot be written.
            appendEnds()
            // The ends may be those of an action that is not in the ring yet, or, in an abandoned store, never will be.
            if taken.count == 0, writer.frame.isEmpty { return false }
            if !writer.frame.isEmpty { try write() }
            if let problem = taken.problem { throw error(of: problem) }
        } catch {
            fail(error)
        }
        return true
    }

    private func error(of problem: TakenEntries.Problem) -> JournalError {
        switch problem {
        case .outOfOrder(let expected, let found): .outOfOrder(expected: expected, found: found)
        case .codec(let error): .file(.codec(path: state.path, offset: nil, kind: typeName, error: error))
        }
    }

    /// Whether ends of effects wait to be written.
    private var hasEnds: Bool { failure == nil && port?.openEffects?.hasEnds == true }

    /// Adds the ends of effects to the frame. They need no action to be written with.
    private func appendEnds() {
        if endsTracking, writer.frame.count > 0 {
            writer.frame.append(EffectMarks.watermark(EffectMarks.untracked))
            endsTracking = false
        }
        guard let openEffects = port?.openEffects else { return }
        let (finished, ends) = openEffects.take(upTo: writer.frame.nextSequence &- 1)
        for record in EffectMarks.records(finished, ends) { writer.frame.append(record) }
        finishedEffects = finished ?? finishedEffects
    }

    /// Adds to the last frame what the pipeline has noted of effects since the frame before, if that says more than the
    /// disk. Without it, the next start would handle actions again whose effects had ended, because they were written
    /// before the pipeline noted that.
    private func appendLastEnds() {
        guard let openEffects = port?.openEffects else { return }
        let (finished, ends) = openEffects.take(upTo: writer.frame.nextSequence &- 1)
        let isNewer = finished.map { $0 > finishedEffects } ?? false
        guard isNewer || !ends.isEmpty else { return }
        for record in EffectMarks.records(finished, ends) { writer.frame.append(record) }
        finishedEffects = finished ?? finishedEffects
    }

    private func write() throws(JournalError) {
        marks.move(to: &writer.frame)
        let size = writer.frame.count
        try whenRoom { () throws(JournalError) in _ = try self.writer.write() }
        state.groups.add(1, ordering: .relaxed)
        state.segmentsInStock.store(writer.segmentsInStock, ordering: .relaxed)
        if size > 0 { state.histograms.withLock { $0.sizes.add(UInt64(size)) } }
        state.written.store(writer.writtenThrough, ordering: .relaxed)
        if state.durability.syncsEachGroup {
            #if MILLRACE_PLANTED
                if Planted.has(.durableTooEarly) { tell(writer.writtenThrough) }
            #endif
            try sync()
        } else {
            try writer.confirm()
            // The change to a new segment syncs the old one.
            noteSynced()
            #if MILLRACE_PLANTED
                if Planted.has(.receiptBeforeSync) { state.waiters.advance(to: writer.writtenThrough) }
            #endif
            if !state.durability.needsDisk { state.waiters.advance(to: writer.writtenThrough) }
            _ = try syncIfDue()
        }
        tell(writer.writtenThrough)
        writeSnapshots()
    }

    private func sync() throws(JournalError) {
        let began = state.now
        try whenRoom { () throws(JournalError) in _ = try self.writer.sync() }
        // From its beginning: what is dispatched during this sync waits for the next one.
        lastSync = began
        let time = (state.now - began).nanosecondsClamped
        state.world?.pause("has synced")
        if port?.openEffects != nil { state.finishedEffects.store(finishedEffects, ordering: .relaxed) }
        state.syncs.add(1, ordering: .relaxed)
        state.syncNanoseconds.add(time, ordering: .relaxed)
        state.histograms.withLock { $0.times.add(time) }
        noteSynced()
    }

    private func noteSynced() {
        state.synced.store(writer.syncedThrough, ordering: .relaxed)
        if state.durability.needsDisk { state.waiters.advance(to: writer.syncedThrough) }
    }

    /// Syncs if the interval is over, or if a snapshot waits for it. Returns whether it did.
    private func syncIfDue() throws(JournalError) -> Bool {
        guard failure == nil, writer.syncedThrough < writer.writtenThrough else {
            writeSnapshots()
            return false
        }
        var isDue = snapshots.canWrite(upTo: writer.writtenThrough)
        if case .interval(let interval) = state.durability, state.now - lastSync >= interval { isDue = true }
        if isDue {
            try sync()
            writeSnapshots()
        }
        return isDue
    }

    /// The time until the next sync; nil: none is due.
    private var timeToSync: Duration? {
        guard failure == nil, case .interval(let interval) = state.durability,
            writer.syncedThrough < writer.writtenThrough
        else { return nil }
        return max(.zero, interval - (state.now - lastSync))
    }

    /// Calls `body` again until the disk has room. The store waits meanwhile, when the ring is full. A shutdown waits
    /// until its deadline, which interrupts the ring.
    private func whenRoom(_ body: () throws(JournalError) -> Void) throws(JournalError) {
        var end: ContinuousClock.Instant?
        while true {
            do throws(JournalError) {
                return try body()
            } catch {
                guard case .full = error, state.world?.isOver != true else { throw error }
                if isEnded.load(ordering: .acquiring) {
                    let last = end ?? state.now + Self.patienceAtEnd
                    end = last
                    if ring.isInterrupted.load(ordering: .acquiring) || state.now >= last { throw error }
                }
                state.waitsForDisk.add(1, ordering: .relaxed)
                ring.taker.sleep(atMost: Self.patience) {
                    isEnded.load(ordering: .sequentiallyConsistent)
                        && ring.isInterrupted.load(ordering: .sequentiallyConsistent)
                }
            }
        }
    }

    /// Tells the store how far its actions are durable.
    private func tell(_ sequence: UInt64) {
        guard let port else { return }
        state.world?.pause("tells the store what is durable")
        // Sequentially consistent: see JournalPort.isAwaited and Parking. It also releases what was done before.
        port.durable.store(sequence, ordering: .sequentiallyConsistent)
        ring.pipeline.wake()
        #if MILLRACE_PLANTED
            if Planted.has(.wakeForgotten) { return }
        #endif
        if port.isAwaited.load(ordering: .sequentiallyConsistent) { state.store.withLock { $0 }?.wake() }
    }

    private func writeSnapshots() {
        guard failure == nil else { return }
        snapshots.write(journal: writer.journal, epoch: writer.epoch, syncedThrough: writer.syncedThrough) { [ring] in
            ring.taker.wake()
        }
    }

    /// The first failure is final.
    private func fail(_ error: JournalError) {
        guard failure == nil, let port else { return }
        failure = error
        port.openEffects?.close()
        // Before the store is closed: a commit that the closed store refuses throws this error.
        #if MILLRACE_PLANTED
            if !Planted.has(.waitersForgotten) { state.waiters.note(error) }
        #else
            state.waiters.note(error)
        #endif
        state.world?.pause("the journal has failed")
        #if MILLRACE_PLANTED
            if Planted.has(.failureReleases) { port.durable.store(.max, ordering: .sequentiallyConsistent) }
        #endif
        switch failurePolicy {
        case .stop:
            port.failure.withLock { $0 = error }
            port.isFailed.store(true, ordering: .sequentiallyConsistent)
        case .detach: port.durable.store(.max, ordering: .sequentiallyConsistent)
        }
        ring.isClosed.store(true, ordering: .sequentiallyConsistent)
        ring.pipeline.wake()
        let link = state.store.withLock { $0 }
        #if MILLRACE_PLANTED
            if !Planted.has(.intakeStaysOpen), failurePolicy == .stop { link?.stop() }
        #else
            if failurePolicy == .stop { link?.stop() }
        #endif
        // After the store is closed: when a commit throws, the store accepts nothing any more.
        #if MILLRACE_PLANTED
            if !Planted.has(.waitersForgotten) { state.waiters.fail(error) }
        #else
            state.waiters.fail(error)
        #endif
        link?.wake()
        // Last, because they may take long.
        state.failures.tell(error, state.path, failurePolicy, isOnDisk: Folder.self == DiskFolder.self)
        snapshots.end()
    }

    private func close() {
        if failure == nil {
            do throws(JournalError) {
                try whenRoom { () throws(JournalError) in _ = try self.writer.sync() }
                state.synced.store(writer.syncedThrough, ordering: .relaxed)
                state.waiters.advance(to: writer.syncedThrough)
                tell(writer.syncedThrough)
                writeSnapshots()
                // One may wait behind another one. Both before the lock is given back.
                snapshots.settle()
                writeSnapshots()
                snapshots.end()
                try finishFile()
            } catch {
                fail(error)
            }
        }
        writer.giveUp()
        snapshots.end()
        state.waiters.fail(.closed(path: state.path))
    }

    /// Writes the last ends of effects, and marks the end of the file. Without room for that the file ends as after a
    /// crash: all of its actions are there.
    private func finishFile() throws(JournalError) {
        appendLastEnds()
        // The pipeline has ended, so nobody else uses the port.
        for producer in port?.takeForgotten() ?? [] { marks.add(ProducerMark(producer: producer, number: 0)) }
        marks.move(to: &writer.frame)
        do throws(JournalError) {
            try writer.close()
            if port?.openEffects != nil { state.finishedEffects.store(finishedEffects, ordering: .relaxed) }
        } catch {
            guard case .full = error else { throw error }
        }
    }
}
