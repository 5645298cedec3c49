// SPDX-License-Identifier: Apache-2.0

import CMillrace
import MillraceRuntime

/// The loop of a store's own thread: drain, publish by pacing, spin a little, sleep.
struct ThreadEngine: Sendable {
    let consumer: Consumer
    let wait: WaitStrategy

    /// Nanoseconds without a full batch after which memory is given back.
    private static var quietTime: UInt64 { 50_000_000 }
    private static let quietTicks = millrace_clock_from_nanoseconds(quietTime)

    private var raw: UnsafeMutablePointer<millrace_queue> { consumer.queue }

    /// Runs until the store is closed and nothing is pending.
    func run() {
        var frame = millrace_frame()
        millrace_frame_push(&frame, consumer.identity, consumer.counters)
        let (spin, pauses) = spinning()
        var busyUntil = millrace_clock_ticks()
        consumer.noteEmpty(busyUntil)
        while true {
            let mayHaveMore = consumer.drainOnce()
            consumer.publishAfterBatch()
            if mayHaveMore {
                busyUntil = millrace_clock_ticks()
                continue
            }
            if consumer.isToFinish { break }
            tidyIfQuiet(since: busyUntil)
            if !hasWork(within: spin, pauses) {
                sleep()
                // What waits now has come about now.
                consumer.noteEmpty(millrace_clock_ticks())
            }
        }
        let retired = consumer.finish()
        millrace_frame_pop(&frame)
        consumer.end(retired)
    }

    /// Ticks to spin for, nothing when there is but one processor, which the producer needs; and pauses between two
    /// looks at an empty queue. Looking takes the line away from the producer that is writing it: looking all the time
    /// halves the throughput.
    private func spinning() -> (ticks: UInt64, pauses: Int) {
        let aMicrosecond = 64
        guard millrace_processor_count() > 1 else { return (0, aMicrosecond) }
        return switch wait.kind {
        case .park: (0, aMicrosecond)
        case .spinThenPark(let duration): (Ticks.count(in: duration), aMicrosecond)
        case .busySpin: (.max, aMicrosecond)
        case .busySpinClosely: (.max, 4)
        }
    }

    /// Looks again for a while. True as soon as there is something to do.
    private func hasWork(within spin: UInt64, _ pauses: Int) -> Bool {
        let start = millrace_clock_ticks()
        var isTidy = false
        while true {
            let now = millrace_clock_ticks()
            consumer.noteEmpty(now)
            let waited = millrace_clock_passed(start, now)
            if waited >= spin { return false }
            if waited > Self.quietTicks, !isTidy { isTidy = !consumer.tidy() }
            for _ in 0..<pauses { millrace_pause() }
            if millrace_queue_front(raw) != nil || consumer.isToFinish { return true }
            // The last state must not wait for an action that may never come.
            if consumer.counters.pointee.isDirty { consumer.publishAfterBatch() }
        }
    }

    /// Gives memory back though actions keep coming, if they have long not filled a batch.
    private func tidyIfQuiet(since busyUntil: UInt64) {
        guard millrace_queue_is_bloated(raw),
            millrace_clock_passed(busyUntil, millrace_clock_ticks()) > Self.quietTicks
        else { return }
        _ = consumer.tidy()
    }

    /// Sleeps until an action, the closing of the store, or a publication that is due.
    private func sleep() {
        var isTidy = false
        while true {
            let due = consumer.nanosecondsToPublication()
            if due == 0 { return consumer.publishIfDirty() }
            let limit = isTidy ? due ?? 0 : min(due ?? Self.quietTime, Self.quietTime)
            if park(atMost: limit) { return }
            // Quiet: everything goes back, and what readers still hold a little later.
            if !isTidy, limit == Self.quietTime { isTidy = !consumer.tidy() }
        }
    }

    /// Sleeps on the doorbell. True when there is something to do, false when the time ran out.
    func park(atMost nanoseconds: UInt64) -> Bool {
        let bell = bellPointer
        millrace_doorbell_prepare(bell)
        if millrace_queue_has_ready(raw) || consumer.isToFinish {
            millrace_doorbell_cancel(bell)
            return true
        }
        consumer.noteAbsence()
        defer { consumer.noteEmpty(millrace_clock_ticks()) }
        return millrace_doorbell_wait(bell, nanoseconds)
    }

    private var bellPointer: UnsafeMutablePointer<millrace_doorbell> { millrace_queue_bell(raw) }
}
