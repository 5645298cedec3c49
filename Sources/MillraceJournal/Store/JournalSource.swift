// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import MillraceCore
import MillraceRecords
import Synchronization

/// The folder and the codec of a journal, without their types.
protocol JournalSource<Action>: Sendable {
    associatedtype Action

    var metrics: JournalMetrics { get }

    /// The world of the folder; nil: the system.
    var world: (any StoreWorld)? { get }

    /// Recovers the state, and begins to write. Blocks.
    func recover<State>(
        _ initialState: sending State,
        _ reducer: Reducer<Action, State>,
        _ snapshots: SnapshotPolicy<State>,
        held: HeldWorkPolicy,
        mostHeld: Int,
        visibility: StateVisibility,
        effects: UnfinishedEffects,
        progress: (@Sendable (RecoveryProgress) -> Void)?
    ) throws(JournalError) -> RecoveredState<State>

    /// Gives up what was recovered, because no store will use it: releases the lock.
    func release()

    /// Makes a reader that begins at a sequence.
    func reader(from sequence: UInt64) throws(JournalError) -> any EntryReader<Action>

    /// Returns the newest snapshot at or below a sequence.
    func snapshot(atMost sequence: UInt64) throws(JournalError) -> Snapshot?

    func verify() throws(JournalError) -> JournalVerification
}

/// The journal of a folder.
final class FolderSource<Codec: ActionCodec, Folder: JournalFolder>: JournalSource {
    typealias Action = Codec.Action

    private let folder: Folder
    private let codec: Codec
    private let durability: Durability
    private let failurePolicy: JournalFailurePolicy
    private let unknownKinds: UnknownKinds
    private let capacity: Int
    private let options: JournalOptions
    private let coder: EntryCoder<Codec.Action>
    private let failures: FailureReport
    private let isUsed = Atomic<Bool>(false)
    var world: (any StoreWorld)? { folder.world }
    private let current = Locked<(state: JournalState, port: JournalPort, ring: EntryRing<Codec.Action>)?>(nil)
    /// Gives the lock of a journal back that no store uses yet.
    private let giveUp = Locked<(@Sendable () -> Void)?>(nil)

    init(
        folder: Folder,
        codec: Codec,
        durability: Durability,
        failurePolicy: JournalFailurePolicy,
        unknownKinds: UnknownKinds,
        capacity: Int,
        options: JournalOptions,
        coder: EntryCoder<Codec.Action>,
        failures: FailureReport
    ) {
        self.failures = failures
        self.folder = folder
        self.codec = codec
        self.durability = durability
        self.failurePolicy = failurePolicy
        self.unknownKinds = unknownKinds
        self.capacity = capacity
        self.options = options
        self.coder = coder
    }

    func recover<State>(
        _ initialState: sending State,
        _ reducer: Reducer<Codec.Action, State>,
        _ snapshots: SnapshotPolicy<State>,
        held: HeldWorkPolicy,
        mostHeld: Int,
        visibility: StateVisibility,
        effects: UnfinishedEffects,
        progress: (@Sendable (RecoveryProgress) -> Void)?
    ) throws(JournalError) -> RecoveredState<State> {
        guard !isUsed.exchange(true, ordering: .acquiringAndReleasing) else { throw .inUse(path: folder.path) }
        do {
            return try begin(initialState, reducer, snapshots, held, mostHeld, visibility, effects, progress)
        } catch {
            isUsed.store(false, ordering: .releasing)
            throw error
        }
    }

    private func begin<State>(
        _ initialState: State,
        _ reducer: Reducer<Codec.Action, State>,
        _ policy: SnapshotPolicy<State>,
        _ held: HeldWorkPolicy,
        _ mostHeld: Int,
        _ visibility: StateVisibility,
        _ effects: UnfinishedEffects,
        _ progress: (@Sendable (RecoveryProgress) -> Void)?
    ) throws(JournalError) -> RecoveredState<State> {
        let progress = ProgressReporter(progress, folder.world)
        // Without a codec of states no snapshot can be read.
        var recovery = try JournalRecovery(
            folder,
            snapshotAtMost: policy.codec == nil ? 0 : .max,
            beforeEffects: effects != .forget,
            options: options,
            progress: progress
        )
        var state = initialState
        var marks: [String: (number: UInt64, sequence: UInt64)] = [:]
        if let snapshot = recovery.snapshot, let codec = policy.codec {
            state = try codec.state(of: snapshot)
            for case .mark(let producer, let number) in snapshot.records {
                marks[producer] = (number, snapshot.sequence)
            }
        }
        var fold = RecoveryFold(marks, snapshot: recovery.snapshot, until: recovery.finishedEffects)
        try replay(&recovery, reducer, &state, &fold, progress)
        marks = fold.marks
        var writer = try recovery.finish([codec.schema])
        let last = writer.writtenThrough
        let base = min(fold.end, last)
        writer.recovery.handledAgain = last - base
        let shared = JournalState(
            path: folder.path,
            durability: durability,
            recovery: writer.recovery,
            last: last,
            failures: failures,
            folder.world
        )
        let openEffects = effects.most.map { most in
            shared.finishedEffects.store(base, ordering: .relaxed)
            return OpenEffects(
                journal: (writer.journal.low, writer.journal.high),
                most: most,
                finished: base,
                ended: fold.effects.ended
            )
        }
        let queue = SnapshotQueue(
            folder,
            keep: policy.keep,
            removesSegments: policy.removesSegments,
            shared,
            shadow: try shadow(of: state, reducer, fold.marksAtEnd.mapValues(\.number), after: base, policy)
        )
        let thread = JournalThread(
            writer,
            codec,
            coder,
            shared,
            queue,
            failurePolicy: failurePolicy,
            capacity: capacity,
            endsTracking: effects == .forget && fold.effects.isTracked,
            finishedEffects: base
        )
        let port = JournalPort(
            base: base,
            last: last,
            openEffects: openEffects,
            marks: marks,
            isExact: held == .exact,
            isVisibleWhenDurable: visibility == .durable,
            snapshotInterval: policy.codec == nil || policy.kind == .shadow ? 0 : policy.interval,
            mostHeld: mostHeld,
            attachment: shared,
            calls: calls(thread, queue, policy, openEffects)
        )
        current.withLock { $0 = (shared, port, thread.ring) }
        giveUp.withLock { $0 = { thread.giveUp() } }
        openEffects?.connect(
            wakeStore: { [shared, ring = thread.ring] in
                ring.pipeline.wake()
                shared.store.withLock { $0 }?.wake()
            },
            wakeJournal: { [ring = thread.ring] in ring.taker.wake() }
        )
        var replayed: (@Sendable () throws(JournalError) -> Void)?
        if base < last {
            let reading = ReplayReading<Codec, Folder>(folder, codec, from: base + 1, to: last)
            port.replay = Replay { reading.pass(to: $0) }
            replayed = { () throws(JournalError) in try reading.check() }
        }
        return RecoveredState(state: state, port: port, world: folder.world, replayed: replayed) {
            [self, shared] calls in
            giveUp.withLock { $0 = nil }
            shared.store.withLock { $0 = calls }
            thread.start(port)
        }
    }

    /// A second state that follows the journal, if the policy wants one.
    private func shadow<State>(
        of state: State,
        _ reducer: Reducer<Codec.Action, State>,
        _ marks: [String: UInt64],
        after last: UInt64,
        _ policy: SnapshotPolicy<State>
    ) throws(JournalError) -> (interval: UInt64, after: UInt64, write: SnapshotQueue<Folder>.WriteShadow)? {
        guard policy.kind == .shadow, let states = policy.codec else { return nil }
        let shadow = try ShadowState(folder, codec, reducer, state, marks, after: last)
        return (
            policy.interval, last,
            { (folder, syncedThrough, goesOn) throws(JournalError) in
                guard try shadow.advance(to: syncedThrough, while: goesOn) else { return false }
                let marks =
                    shadow.marks.sorted { $0.key < $1.key }
                    .map { JournalRecord.mark(producer: $0.key, number: $0.value) }
                    + (shadow.effects.records)
                try states.write(
                    shadow.state,
                    at: shadow.sequence,
                    to: folder,
                    marks: marks,
                    syncedThrough: syncedThrough
                )
                return true
            }
        )
    }

    func release() {
        // Not by the end of the last reference: the thread that has read the journal may still have one.
        giveUp.withLock { $0.take() }?()
        let released = current.withLock { $0.take() }
        withExtendedLifetime(released) {}
        isUsed.store(false, ordering: .releasing)
    }

    private func replay<State>(
        _ recovery: inout JournalRecovery<Folder>,
        _ reducer: Reducer<Codec.Action, State>,
        _ state: inout State,
        _ fold: inout RecoveryFold,
        _ progress: ProgressReporter?
    ) throws(JournalError) {
        // Only parked records need them.
        if case .park = unknownKinds {} else { recovery.walk.readsSources = false }
        var routes = try KindRoutes(codec, recovery.segments, unknownKinds: unknownKinds)
        var last = recovery.snapshot?.sequence ?? 0
        var applied: UInt64 = 0
        try progress?.begin(.applyingActions, recovery.walk, after: last)
        var entered = -1
        let views = UnsafeMutableBufferPointer<RecordView>.allocate(capacity: 256)
        defer { views.deallocate() }
        let actions = ActionFold(reducer, coder)
        try TakeUpTime.replaying { (time) throws(JournalError) in
            while true {
                let count = try recovery.next(into: views)
                if count == 0 { break }
                if recovery.segmentIndex != entered, let segment = recovery.segment {
                    try routes.enter(segment)
                    entered = recovery.segmentIndex
                }
                var place = 0
                while place < count {
                    let first = place
                    do throws(CodecError) {
                        try actions.apply(
                            views,
                            from: &place,
                            to: count,
                            routes.current,
                            through: fold.end,
                            at: time,
                            to: &state
                        )
                    } catch {
                        throw routes.failed(views[place], error)
                    }
                    applied += UInt64(place - first)
                    if place > first { last = views[place - 1].sequence }
                    if place == count { break }
                    let view = views[place]
                    place += 1
                    if case .reserved(let kind) = view.content {
                        if let record = JournalRecord(kind: kind, view.bytes) { fold.read(record, after: last) }
                        continue
                    }
                    last = view.sequence
                    // What the store handles again is decoded here, too, so that an error is thrown before the store
                    // runs.
                    try routes.check(view, recovery.walk, by: actions)
                    _ = fold.folds(last)
                }
                progress?.update(recovery.walk, actions: applied, sequence: last)
            }
        }
        try routes.finish()
        recovery.report.leftOut = routes.unknown
        progress?.end(recovery.walk, actions: applied, sequence: last)
    }

    private func calls<State>(
        _ thread: JournalThread<Codec, Folder>,
        _ queue: SnapshotQueue<Folder>,
        _ policy: SnapshotPolicy<State>,
        _ openEffects: OpenEffects?
    ) -> JournalPort.Calls {
        JournalPort.Calls(
            record: coder.recorder(thread.ring),
            handOver: { thread.ring.handOver() },
            wait: { thread.wait(for: $1, $0) },
            takeSnapshot: { box, sequence, marks in
                guard let codec = policy.codec, let box = box as? StateBox<State> else { return }
                let finished = openEffects.map { [EffectMarks.watermark($0.finished)] } ?? []
                queue.add(at: sequence) { (folder, syncedThrough) throws(JournalError) in
                    let records = marks.sorted { $0.key < $1.key }
                        .map { JournalRecord.mark(producer: $0.key, number: $0.value.number) }
                    try codec.write(
                        box.state,
                        at: sequence,
                        to: folder,
                        marks: records + finished,
                        syncedThrough: syncedThrough
                    )
                }
            },
            waitUntil: { condition in
                thread.ring.wait(until: condition)
                return !thread.ring.hasGivenUp
            },
            interrupt: { thread.ring.interrupt() },
            tellWaits: { thread.ring.tellWait = $0 },
            end: { thread.end() }
        )
    }

    func reader(from sequence: UInt64) throws(JournalError) -> any EntryReader<Codec.Action> {
        try FolderReader(folder, codec, unknownKinds, from: sequence)
    }

    func snapshot(atMost sequence: UInt64) throws(JournalError) -> Snapshot? {
        for name in try SnapshotName.all(in: folder) where name.sequence <= sequence {
            if let snapshot = try? Snapshot(folder, name) { return snapshot }
        }
        return nil
    }

    func verify() throws(JournalError) -> JournalVerification { try JournalVerification(folder) }

    var metrics: JournalMetrics {
        guard let (state, port, ring) = current.withLock({ $0 }) else { return JournalMetrics() }
        var metrics = JournalMetrics()
        metrics.synced = state.synced.load(ordering: .relaxed)
        metrics.written = state.written.load(ordering: .relaxed)
        metrics.groups = state.groups.load(ordering: .relaxed)
        metrics.syncs = state.syncs.load(ordering: .relaxed)
        metrics.syncTime = .nanoseconds(Int64(clamping: state.syncNanoseconds.load(ordering: .relaxed)))
        metrics.waitsForDisk = state.waitsForDisk.load(ordering: .relaxed)
        metrics.waitsForJournal = ring.waits.load(ordering: .relaxed)
        // Before `recorded`, so that the lag is never too small.
        metrics.durable = state.waiters.safe
        metrics.recorded = port.last &+ ring.tail.load(ordering: .acquiring)
        (metrics.syncTimes, metrics.groupSizes) = state.histograms.withLock { $0 }
        metrics.segmentsInStock = state.segmentsInStock.load(ordering: .relaxed)
        metrics.failure = state.waiters.failure.flatMap { $0.isClosed ? nil : $0 }
        metrics.held = port.heldCount.load(ordering: .relaxed)
        metrics.droppedHeld = port.droppedCount.load(ordering: .relaxed)
        if let openEffects = port.openEffects {
            metrics.unfinishedEffects = openEffects.count
            metrics.finishedEffects = state.finishedEffects.load(ordering: .relaxed)
        }
        metrics.snapshots = state.snapshots.load(ordering: .relaxed)
        metrics.failedSnapshots = state.failedSnapshots.load(ordering: .relaxed)
        metrics.snapshotFailure = state.snapshotFailure.withLock { $0 }
        metrics.newestSnapshot = state.newestSnapshot.load(ordering: .relaxed)
        return metrics
    }
}
