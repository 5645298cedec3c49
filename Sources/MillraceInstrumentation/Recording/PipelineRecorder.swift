// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceCore
import MillraceRuntime

/// The probe of an ``Instrumentation``: it measures on the consumer, and shares nothing with other threads.
final class PipelineRecorder: StageTimesReader, @unchecked Sendable {
    // Unchecked because only the consumer uses the `var` properties. Other threads get access by messages in the queue,
    // or once the pipeline has ended.

    /// How many actions at the beginning of a recording are checked for copies, all of them. After these, one action in
    /// `checkInterval` is checked. The interval is a prime number, so that actions which alternate in a pattern all get
    /// their share.
    static let firstChecks = 16
    private static let checkInterval = 509
    /// The memory that the recorder holds, in bytes, without recording, kinds and trace.
    static var bytes: Int { StageIndex.bytes + StageTimes.bytes }

    let wantsEveryAction: Bool
    /// Only a trace has the thread of a batch.
    let wantsBatches: Bool
    /// The times, which the pipeline writes.
    let stageTimes = UnsafeMutablePointer<StageTimes>.allocate(capacity: 1)
    /// A fixed-point number with 32 bits after the point.
    private let nanosecondsATick = UInt128(Ticks(rawValue: 0).nanoseconds(until: Ticks(rawValue: 1 << 32)))
    let kinds: KindTable
    private let flight: FlightRecorder?
    @exclusivity(unchecked) private(set) var index: StageIndex
    @exclusivity(unchecked) var recording: Recording
    @exclusivity(unchecked) var pen: Recording.Pen
    @exclusivity(unchecked) var trace: TraceBuffer?
    /// Decides which actions are checked for copies.
    let copyCheck: CopyCheck? = CopyCheck(actionsUntilNext: 1)
    /// How many actions are still checked one after the other.
    @exclusivity(unchecked) var checksInRow = PipelineRecorder.firstChecks
    @exclusivity(unchecked) private var thread: Int32 = 0

    /// The time of the first switch-on; the grid of the series begins there.
    @exclusivity(unchecked) var origin: UInt64 = 0
    /// Whether the instrumentation is on.
    @exclusivity(unchecked) var isOn = false
    /// The number of the last switch that took effect.
    @exclusivity(unchecked) var switches: UInt64 = 0
    @exclusivity(unchecked) var rate = 1
    /// The time up to which active time and actions are counted, and the number of actions finished by then.
    @exclusivity(unchecked) var onSince: UInt64 = 0
    @exclusivity(unchecked) var reducedBefore: UInt64 = 0

    init(kinds: KindTable, middlewares: [MiddlewareName], flight: FlightRecorder?, traceRoom: Int) {
        self.kinds = kinds
        self.flight = flight
        wantsEveryAction = flight != nil
        wantsBatches = traceRoom > 0
        index = StageIndex(middlewares)
        recording = Recording(stageLimit: index.limit)
        pen = recording.pen
        stageTimes.initialize(to: StageTimes())
        trace = traceRoom > 0 ? TraceBuffer(room: traceRoom) : nil
    }

    deinit {
        stageTimes.deinitialize(count: 1)
        stageTimes.deallocate()
        index.deallocate()
    }

    var stageLimit: Int { index.limit }

    var times: UnsafeMutablePointer<StageTimes>? { stageTimes }

    /// Returns 0 if `end` is earlier: the clock of one processor may be behind that of another.
    @inline(__always)
    private func nanoseconds(from start: UInt64, to end: UInt64) -> UInt64 {
        let ticks = end > start ? end &- start : 0
        return UInt64(truncatingIfNeeded: (UInt128(ticks) &* nanosecondsATick) &>> 32)
    }

    // MARK: Called by the pipeline's loop

    func batchBegan(_ batch: ProbedBatch) {
        thread = ThreadNumber.current
    }

    func kind<Action>(of action: UnsafePointer<Action>) -> Int {
        kinds.kind(of: action)
    }

    func actionBegan(_ action: MeasuredAction) {
        flight?.append(action, wait: wait(of: action), kinds)
    }

    func copyCheckBegan() {
        if checksInRow > 0 { checksInRow -= 1 }
        copyCheck?.actionsUntilNext = checksInRow > 0 ? 1 : Self.checkInterval
        pen.counts.pointee.checked &+= 1
    }

    func stateCopied(by middleware: MiddlewareName, isReduced: Bool) {
        pen.noteCopy(stage: index.index(of: middleware), afterReducers: isReduced)
    }

    func actionEnded(_ action: MeasuredAction) {
        let end = stageTimes.pointee.endAction()
        let kind = slot(action.kind)
        let row = pen.row(kind)
        let (unnamed, nested) = readStages(row)
        let work = nanoseconds(from: action.ticks, to: end)
        let wait = wait(of: action)
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
            pen.series.pointee.record(wait &+ work, at: nanoseconds(from: origin, to: end))
        }
        if trace != nil {
            traceStages(of: action)
            trace(.action, 0, action.ticks, end, queued: wait, of: action)
        }
    }

    func stagesEnded() {
        _ = readStages(pen.row(nil))
        if trace != nil { traceStages(of: nil) }
    }

    /// Returns the nanoseconds for which the action has waited: at least 1; 0 if it is not known.
    @inline(__always)
    private func wait(of action: MeasuredAction) -> UInt64 {
        let dispatched = action.dispatched
        return dispatched == 0 ? 0 : max(1, nanoseconds(from: dispatched, to: action.ticks))
    }

    /// Records the stages, and adds their times to a row. Returns the nanoseconds in middlewares without a name, and
    /// those of stages nested in others.
    @inline(__always)
    private func readStages(_ row: UnsafeMutablePointer<UInt64>) -> (unnamed: UInt64, nested: UInt64) {
        let pen = pen
        var (unnamed, nested): (UInt64, UInt64) = (0, 0)
        var last = stageTimes.pointee.start
        var stage = stageTimes.pointee.stages.lowerBound
        let end = stageTimes.pointee.stages.upperBound
        while stage < end {
            let (began, ended) = (stage.pointee.began, stage.pointee.ended)
            let time = nanoseconds(from: began, to: ended)
            if stage.pointee.outer == nil {
                // Between two measured stages of an action, only middlewares without a name run.
                if began != last { unnamed &+= nanoseconds(from: last, to: began) }
                last = ended
            } else {
                nested &+= time
            }
            let index = index.index(of: stage)
            pen.record(stage: index, time)
            row[index] &+= time
            stage += 1
        }
        return (unnamed, nested)
    }

    private func slot(_ kind: Int) -> Int { kind <= Recording.mostKinds ? kind : 0 }

    /// Adds the stages to the trace in the order in which they ended: inner ones before the one around them.
    @inline(never)
    private func traceStages(of action: MeasuredAction?) {
        var open: UnsafeMutablePointer<TimedStage>?
        func end(until outer: UnsafeMutablePointer<TimedStage>?) {
            while let stage = open, stage != outer {
                let index = index.index(of: stage)
                trace(.stage, index, stage.pointee.began, stage.pointee.ended, queued: 0, of: action)
                open = stage.pointee.outer
            }
        }
        for stage in stageTimes.pointee.stages {
            end(until: stage.pointee.outer)
            open = stage
        }
        end(until: nil)
    }

    /// Out of line, so that an action without a trace does not pay for its stack.
    @inline(never)
    private func trace(
        _ what: TraceEvent.What,
        _ stage: Int,
        _ start: UInt64,
        _ end: UInt64,
        queued: UInt64,
        of action: MeasuredAction?
    ) {
        let cause = action?.cause ?? .none
        trace?.append(
            TraceEvent(
                what: what,
                stage: UInt16(stage),
                kind: UInt16(action?.kind ?? 0),
                thread: thread,
                start: Ticks(rawValue: start),
                end: Ticks(rawValue: end),
                nanosecondsQueued: queued,
                number: action?.number ?? 0,
                parent: cause.parent,
                root: cause.root
            )
        )
    }
}
