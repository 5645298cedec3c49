// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import MillraceRuntime

/// The probe of an ``Instrumentation``: measures on the pipeline's thread, and shares nothing with another one.
///
/// The clock is read once a stage where stages follow one another: the end of one is the beginning of the next.
final class PipelineRecorder: PipelineProbe, @unchecked Sendable {
    // Unchecked because everything that is `var` belongs to the pipeline's thread, and is given to others by messages
    // in the queue, or once the pipeline has gone.

    /// Where a stage that is running began.
    private typealias Began = UInt64
    private static let deepest = 16
    /// Bytes of what it holds beside recording, kinds and trace.
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
    /// When the action that runs began.
    @exclusivity(unchecked) private var beginning: UInt64 = 0
    /// The last look at the clock, and whether nothing that is not measured has run since.
    @exclusivity(unchecked) private var mark: UInt64 = 0
    @exclusivity(unchecked) private var isFresh = false
    /// Of the action that runs: nanoseconds in middlewares without a name, and in stages within others.
    @exclusivity(unchecked) private var unnamed: UInt64 = 0
    @exclusivity(unchecked) private var nested: UInt64 = 0
    /// The sums of the action that runs, and what a trace needs of it.
    @exclusivity(unchecked) private var row: UnsafeMutablePointer<UInt64>
    @exclusivity(unchecked) private var current: (number: UInt64, cause: ActionCause, kind: Int) = (0, .none, 0)
    @exclusivity(unchecked) private var thread: Int32 = 0

    /// When it was first switched on; the series' grid begins there.
    @exclusivity(unchecked) private(set) var origin: UInt64 = 0
    /// While it is on: since when, and how many actions were finished then.
    @exclusivity(unchecked) private var isOn = false
    /// The number of the last switch that counted.
    @exclusivity(unchecked) private var switches: UInt64 = 0
    @exclusivity(unchecked) private var rate = 1
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

    /// 0 where the clock of one processor is behind that of another.
    @inline(__always)
    private func nanoseconds(from start: UInt64, to end: UInt64) -> UInt64 {
        let ticks = end > start ? end &- start : 0
        let (high, low) = ticks.multipliedFullWidth(by: nanosecondsATick)
        return high << 32 | low >> 32
    }

    // MARK: What the loop tells

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
        // Between two stages of an action there are only middlewares without a name.
        if !isFresh, depth == 0 { unnamed &+= nanoseconds(from: mark, to: start) }
        if depth < Self.deepest { running[depth] = start }
        depth += 1
        isFresh = false
    }

    /// Whether these are the reducers, and no middleware came before: what the pipeline did until then is not theirs.
    @inline(__always)
    private func isFirst(_ stage: PipelineStage) -> Bool {
        if case .reducers = stage { mark == beginning } else { false }
    }

    func stageEnded(_ stage: PipelineStage) {
        let now = Ticks.now.rawValue
        depth -= 1
        mark = now
        isFresh = true
        guard depth < Self.deepest else { return pen.counts.pointee.missedStages &+= 1 }
        let place =
            switch stage {
            case .middleware(let name): index.index(of: name)
            case .reducers: StageIndex.reducers
            case .effects: StageIndex.effects
            case .publication: StageIndex.publication
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
        // Of an action that was dispatched before the probe was on it is not known how long it waited.
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

    // MARK: What messages do

    /// It was switched on, off, or to another rate. False if a later switch came before this one: then nothing changes.
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

    /// What a reader is given.
    struct Taken: Sendable {
        let recording: Recording
        let stages: [String]
        let kinds: [String]
        let origin: UInt64
        let until: UInt64
    }

    /// Gives what was measured away, for an empty recording.
    func exchange(_ empty: Recording, _ reduced: UInt64) -> Taken {
        account(reduced)
        let full = recording
        recording = empty
        pen = empty.pen
        row = pen.row(nil)
        return Taken(
            recording: full,
            stages: index.names,
            kinds: kinds.names,
            origin: origin,
            until: onSince
        )
    }

    /// Gives the trace away, for an empty one; with the names that are in it.
    func exchange(_ empty: TraceBuffer) -> (trace: TraceBuffer?, stages: [String], kinds: [String]) {
        defer { if trace != nil { trace = empty } }
        return (trace, index.names, kinds.names)
    }
}
