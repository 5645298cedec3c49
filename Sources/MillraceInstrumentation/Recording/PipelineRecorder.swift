// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import MillraceRuntime

/// The probe of an ``Instrumentation``: it measures on the consumer, and shares nothing with other threads.
///
/// If stages follow one another directly, it reads the clock once for each: the end of one is the beginning of the
/// next.
final class PipelineRecorder: PipelineProbe, @unchecked Sendable {
    // Unchecked because only the consumer uses the `var` properties. Other threads get access by messages in the queue,
    // or once the pipeline has ended.

    /// The time at which a running stage began.
    private typealias Began = UInt64
    /// How many actions at the beginning of a recording are checked for copies, all of them. After these, one action in
    /// `checkInterval` is checked. The interval is a prime number, so that actions which alternate in a pattern all get
    /// their share.
    private static let firstChecks = 16
    private static let checkInterval = 509
    private static let deepest = 16
    /// The memory that the recorder holds, in bytes, without recording, kinds and trace.
    static var bytes: Int { deepest * MemoryLayout<Began>.stride + StageIndex.bytes }

    let wantsEveryAction: Bool
    private let nanosecondsATick = Ticks(rawValue: 0).nanoseconds(until: Ticks(rawValue: 1 << 32))
    private let kinds: KindTable
    private let flight: FlightRecorder?
    private let running = UnsafeMutablePointer<Began>.allocate(capacity: PipelineRecorder.deepest)
    @exclusivity(unchecked) private var index: StageIndex
    @exclusivity(unchecked) private var recording: Recording
    @exclusivity(unchecked) private var pen: Recording.Pen
    @exclusivity(unchecked) private var trace: TraceBuffer?
    @exclusivity(unchecked) private var depth = 0
    /// The time at which the current action began.
    @exclusivity(unchecked) private var beginning: UInt64 = 0
    /// The last time read from the clock, and whether no unmeasured code has run since.
    @exclusivity(unchecked) private var mark: UInt64 = 0
    @exclusivity(unchecked) private var isFresh = false
    /// For the current action: the nanoseconds in middlewares without a name, and in stages nested in others.
    @exclusivity(unchecked) private var unnamed: UInt64 = 0
    @exclusivity(unchecked) private var nested: UInt64 = 0
    /// Decides which actions are checked for copies.
    let copyCheck: CopyCheck? = CopyCheck(actionsUntilNext: 1)
    /// How many actions are still checked one after the other.
    @exclusivity(unchecked) private var checksInRow = PipelineRecorder.firstChecks
    /// The sums for the current action's kind, and the action's data for a trace.
    @exclusivity(unchecked) private var row: UnsafeMutablePointer<UInt64>
    @exclusivity(unchecked) private var current: (number: UInt64, cause: ActionCause, kind: Int) = (0, .none, 0)
    @exclusivity(unchecked) private var thread: Int32 = 0

    /// The time of the first switch-on; the grid of the series begins there.
    @exclusivity(unchecked) private(set) var origin: UInt64 = 0
    /// Whether the instrumentation is on.
    @exclusivity(unchecked) private var isOn = false
    /// The number of the last switch that took effect.
    @exclusivity(unchecked) private var switches: UInt64 = 0
    @exclusivity(unchecked) private var rate = 1
    /// The time up to which active time and actions are counted, and the number of actions finished by then.
    @exclusivity(unchecked) private var onSince: UInt64 = 0
    @exclusivity(unchecked) private var reducedBefore: UInt64 = 0

    init(kinds: KindTable, middlewares: [MiddlewareName], flight: FlightRecorder?, traceRoom: Int) {
        self.kinds = kinds
        self.flight = flight
        wantsEveryAction = flight != nil
        index = StageIndex(middlewares)
        recording = Recording(stageLimit: index.limit)
        pen = recording.pen
        row = pen.row(nil)
        trace = traceRoom > 0 ? TraceBuffer(room: traceRoom) : nil
    }

    deinit {
        running.deallocate()
        index.deallocate()
    }

    var stageLimit: Int { index.limit }

    /// Returns 0 if `end` is earlier: the clock of one processor may be behind that of another.
    @inline(__always)
    private func nanoseconds(from start: UInt64, to end: UInt64) -> UInt64 {
        let ticks = end > start ? end &- start : 0
        let (high, low) = ticks.multipliedFullWidth(by: nanosecondsATick)
        return high << 32 | low >> 32
    }

    // MARK: Called by the pipeline's loop

    func kind<Action>(of action: UnsafePointer<Action>) -> Int {
        kinds.kind(of: action)
    }

    func batchBegan(_ batch: ProbedBatch) {
        if trace != nil { thread = ThreadNumber.current }
    }

    func actionBegan(_ action: ProbedAction) {
        mark = action.ticks
        isFresh = true
        (unnamed, nested) = (0, 0)
        beginning = action.ticks
        row = pen.row(slot(action.kind))
        if trace != nil { current = (action.number, action.cause, action.kind) }
        flight?.append(action, kinds)
    }

    func actionPassed(_ action: ProbedAction) {
        flight?.append(action, kinds)
    }

    func stageBegan(_ stage: PipelineStage) {
        let start = isFresh && !isFirst(stage) ? mark : Ticks.now.rawValue
        // Between two measured stages of an action, only middlewares without a name run.
        if !isFresh, depth == 0 { unnamed &+= nanoseconds(from: mark, to: start) }
        if depth < Self.deepest { running[depth] = start }
        depth &+= 1
        isFresh = false
    }

    /// Returns whether the stage is the reducers and no middleware was measured before it. Then the time since `mark`
    /// is the pipeline's own, and does not count as the reducers' time.
    @inline(__always)
    private func isFirst(_ stage: PipelineStage) -> Bool {
        if case .reducers = stage { mark == beginning } else { false }
    }

    func stageEnded(_ stage: PipelineStage) {
        let now = Ticks.now.rawValue
        depth &-= 1
        mark = now
        isFresh = true
        guard depth < Self.deepest else { return pen.counts.pointee.missedStages &+= 1 }
        let place =
            switch stage {
            case .middleware(let name): index.index(of: name)
            case .reducers: StageIndex.reducers
            case .effects: StageIndex.effects
            case .publication: StageIndex.publication
            case .journal: StageIndex.journal
            }
        let began = running[depth]
        let time = nanoseconds(from: began, to: now)
        pen.record(stage: place, time)
        row[place] &+= time
        if depth > 0 { nested &+= time }
        if trace != nil { trace(.stage, place, began, now, queued: 0) }
    }

    func unnamedHandled() {
        isFresh = false
    }

    func copyCheckBegan() {
        if checksInRow > 0 { checksInRow -= 1 }
        copyCheck?.actionsUntilNext = checksInRow > 0 ? 1 : Self.checkInterval
        pen.counts.pointee.checked &+= 1
    }

    func stateCopied(by middleware: MiddlewareName, isReduced: Bool) {
        pen.noteCopy(stage: index.index(of: middleware), afterReducers: isReduced)
    }

    func actionEnded(_ action: ProbedAction) {
        let now = isFresh ? mark : Ticks.now.rawValue
        isFresh = false
        let work = nanoseconds(from: action.ticks, to: now)
        let wait = action.nanosecondsQueued
        let kind = slot(action.kind)
        pen.counts.pointee.measured &+= 1
        pen.record(kind: kind, wait: wait, work: work)
        pen.kinds[kind].unnamed &+= unnamed
        pen.kinds[kind].nested &+= nested
        // If the action was dispatched before the probe was set, its waiting time is not known.
        if wait > 0 {
            pen.record(stage: StageIndex.queue, wait)
            pen.record(stage: StageIndex.total, wait &+ work)
            row[StageIndex.queue] &+= wait
            row[StageIndex.total] &+= wait &+ work
            pen.series.pointee.record(wait &+ work, at: nanoseconds(from: origin, to: now))
        }
        if trace != nil {
            trace(.action, 0, action.ticks, now, queued: wait)
            current = (0, .none, 0)
        }
        row = pen.row(nil)
    }

    private func slot(_ kind: Int) -> Int { kind <= Recording.mostKinds ? kind : 0 }

    /// Out of line, so that an action without a trace does not pay for its stack.
    @inline(never)
    private func trace(_ what: TraceEvent.What, _ stage: Int, _ start: UInt64, _ end: UInt64, queued: UInt64) {
        trace?.append(
            TraceEvent(
                what: what,
                stage: UInt16(stage),
                kind: UInt16(current.kind),
                thread: thread,
                start: Ticks(rawValue: start),
                end: Ticks(rawValue: end),
                nanosecondsQueued: queued,
                number: current.number,
                parent: current.cause.parent,
                root: current.cause.root
            )
        )
    }

    // MARK: Called by messages

    /// Applies a switch: on, off, or to another rate. Returns false and changes nothing if a later switch was applied
    /// before.
    func turn(_ reduced: UInt64, _ wanted: SnapshotAccumulator.Switch) -> Bool {
        guard wanted.number > switches else { return false }
        switches = wanted.number
        account(reduced)
        isOn = wanted.rate > 0
        if isOn { rate = wanted.rate }
        if isOn, origin == 0 { origin = onSince }
        return true
    }

    private func account(_ reduced: UInt64) {
        let now = max(Ticks.now.rawValue, onSince)
        if isOn {
            pen.counts.pointee.activeTicks &+= now &- onSince
            pen.counts.pointee.actions &+= reduced &- reducedBefore
            if reduced != reducedBefore { pen.counts.pointee.rates |= rate }
        }
        onSince = now
        reducedBefore = reduced
    }

    /// The result of a read.
    struct Taken: Sendable {
        let recording: Recording
        let stages: [String]
        let kinds: [String]
        let origin: UInt64
        let until: UInt64
    }

    /// Returns what was measured, and continues with an empty recording.
    func exchange(_ empty: Recording, _ reduced: UInt64) -> Taken {
        account(reduced)
        let full = recording
        recording = empty
        pen = empty.pen
        checksInRow = Self.firstChecks
        copyCheck?.actionsUntilNext = 1
        row = pen.row(nil)
        return Taken(
            recording: full,
            stages: index.names,
            kinds: kinds.names,
            origin: origin,
            until: onSince
        )
    }

    /// Returns the trace with the names that its events refer to, and continues with an empty trace.
    func exchange(_ empty: TraceBuffer) -> (trace: TraceBuffer?, stages: [String], kinds: [String]) {
        defer { if trace != nil { trace = empty } }
        return (trace, index.names, kinds.names)
    }
}
