// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// The stages of the current action, with the times at which they began and ended. The drain loop and the named
/// middlewares write them, and a ``StageTimesReader`` reads all of them when the action ends.
///
/// If one stage follows another directly, the clock is read once: the end of one is the beginning of the next. The
/// reader owns the value behind a pointer, so that writing counts no references. Only the pipeline's thread uses it.
@usableFromInline
package struct StageTimes: ~Copyable {
    /// The most stages of an action. Further ones are not measured.
    package static let room = 512
    /// The memory of the stages, in bytes.
    package static var bytes: Int { room * MemoryLayout<TimedStage>.stride }

    @usableFromInline let first = UnsafeMutablePointer<TimedStage>.allocate(capacity: room)
    @usableFromInline let limit: UnsafeMutablePointer<TimedStage>
    @usableFromInline var end: UnsafeMutablePointer<TimedStage>
    /// The innermost stage that is running.
    @usableFromInline var open: UnsafeMutablePointer<TimedStage>?
    /// The last time read from the clock, and whether no unmeasured code has run since.
    @usableFromInline var last: UInt64 = 0
    @usableFromInline var isFresh = false
    /// Whether the pipeline handles an action, and all running stages have room.
    @usableFromInline var isPlain = false
    /// Whether the pipeline handles an action.
    @usableFromInline private(set) var isInAction = false
    /// How many running stages have no room.
    @usableFromInline private(set) var skipped = 0
    /// The number of stages that had no room.
    private var missed: UInt64 = 0
    /// The time at which the first stage of the action could begin. The pipeline's own work before it is not measured.
    @usableFromInline package private(set) var start: UInt64 = 0

    package init() {
        end = first
        limit = first + Self.room
    }

    deinit {
        first.deallocate()
    }

    /// The stages, in the order in which they began.
    @inlinable package var stages: Range<UnsafeMutablePointer<TimedStage>> { first..<end }

    /// Whether a stage is running.
    private var isRunning: Bool { open != nil || skipped > 0 }

    /// Whether stages that belong to no action are complete, so that the reader may read them.
    var isCompleteBetween: Bool { !isInAction && !isRunning }

    /// An action begins. Removes the stages before it.
    @inlinable @inline(__always)
    mutating func beginAction(_ ticks: UInt64) {
        end = first
        open = nil
        skipped = 0
        last = ticks
        start = ticks
        isFresh = true
        isInAction = true
        isPlain = true
    }

    /// The action ends. Returns the time.
    @inlinable @inline(__always)
    package mutating func endAction() -> UInt64 {
        let now = isFresh ? last : TickClock.now
        isInAction = false
        isPlain = false
        isFresh = false
        return now
    }

    /// A stage begins that follows another one directly, or as the first. Returns false if ``begin(_:)`` must be called.
    @inlinable @inline(__always)
    mutating func beginNext(_ stage: PipelineStage) -> Bool {
        guard isFresh, end != limit else { return false }
        if case .reducers = stage, end == first { return false }
        append(stage)
        return true
    }

    /// A stage begins.
    mutating func begin(_ stage: PipelineStage) {
        // The stages before were read when they, or their action, ended.
        if isCompleteBetween { end = first }
        guard end != limit else {
            skipped += 1
            missed += 1
            isPlain = false
            isFresh = false
            return
        }
        if !isFresh {
            last = TickClock.now
        } else if case .reducers = stage, end == first {
            // No middleware was measured before them. The time until here is the pipeline's own.
            last = TickClock.now
            start = last
        }
        append(stage)
    }

    @inlinable @inline(__always)
    mutating func append(_ stage: PipelineStage) {
        isFresh = false
        end.initialize(to: TimedStage(stage, began: last, in: open))
        open = end
        end += 1
    }

    /// A stage of an action ends. Returns false if ``endAny()`` must be called.
    @inlinable @inline(__always)
    mutating func endPlain() -> Bool {
        guard isPlain, let stage = open else { return false }
        close(stage)
        return true
    }

    /// A stage ends. Nothing is open if it is older than the action.
    mutating func endAny() {
        if skipped > 0 {
            skipped -= 1
            isPlain = isInAction && skipped == 0
        } else if let stage = open {
            close(stage)
            // Between two actions, anything may run until the next stage.
            if !isInAction { isFresh = false }
        }
    }

    @inlinable @inline(__always)
    mutating func close(_ stage: UnsafeMutablePointer<TimedStage>) {
        last = TickClock.now
        isFresh = true
        stage.pointee.ended = last
        open = stage.pointee.outer
    }

    /// Returns the number of stages that had no room since the last call.
    package mutating func takeMissed() -> UInt64 {
        defer { missed = 0 }
        return missed
    }
}
