// SPDX-License-Identifier: Apache-2.0

import CMillrace
import MillraceRuntime

/// The loop of a store's own thread: drain, publish by pacing, spin a little, sleep.
struct ThreadEngine: Sendable {
    let consumer: Consumer
    let wait: WaitStrategy

    /// Pauses between two looks at an empty queue, about a microsecond. Looking more often takes the line away from the
    /// producer that is writing it, and halves the throughput.
    private static var pausesALook: Int { 64 }
    /// How long the thread sleeps before it gives the queue's spare memory back and sleeps for good.
    private static var trimDelay: UInt64 { 50_000_000 }

    private var raw: UnsafeMutablePointer<millrace_queue> { consumer.queue }

    /// Runs until the store is closed and nothing is pending.
    func run() {
        var frame = millrace_frame()
        millrace_frame_push(&frame, consumer.identity)
        let spin = spinTicks()
        while true {
            let mayHaveMore = consumer.drainOnce()
            consumer.publishAfterBatch()
            if mayHaveMore { continue }
            if consumer.isClosed { break }
            if !hasWork(within: spin) { sleep() }
        }
        let remains = consumer.finish()
        millrace_frame_pop(&frame)
        withExtendedLifetime(remains) {}
    }

    /// Ticks to spin for; nothing when there is but one processor, which the producer needs.
    private func spinTicks() -> UInt64 {
        switch wait.kind {
        case .park: 0
        case .spinThenPark(let duration): millrace_processor_count() > 1 ? Ticks.count(in: duration) : 0
        case .busySpin: .max
        }
    }

    /// Looks again for a while. True as soon as there is something to do.
    private func hasWork(within spin: UInt64) -> Bool {
        let start = millrace_clock_ticks()
        while millrace_clock_ticks() &- start < spin {
            for _ in 0..<Self.pausesALook { millrace_pause() }
            if millrace_queue_front(raw) != nil || consumer.isClosed { return true }
            // The last state must not wait for an action that may never come.
            if consumer.books.pointee.isDirty { consumer.publishAfterBatch() }
        }
        return false
    }

    /// Sleeps until an action, the closing of the store, or a publication that is due.
    private func sleep() {
        let due = nanosecondsToPublication()
        if due == 0 { return consumer.publishIfDirty() }
        guard !park(atMost: due ?? Self.trimDelay), due == nil else { return }
        millrace_queue_consumer_enter(raw)
        millrace_queue_trim(raw)
        millrace_queue_consumer_leave(raw)
        _ = park(atMost: 0)
    }

    /// Nil: nothing to publish. 0: at once.
    private func nanosecondsToPublication() -> UInt64? {
        guard consumer.books.pointee.isDirty else { return nil }
        switch consumer.pacing {
        case .onDemand: return nil
        case .everyAction, .batch: return 0
        case .atMost(let ticks):
            let passed = millrace_clock_ticks() &- consumer.books.pointee.published
            return passed >= ticks ? 0 : max(1, millrace_clock_nanoseconds(ticks - passed))
        }
    }

    /// Sleeps on the doorbell. True when there is something to do, false when the time ran out.
    private func park(atMost nanoseconds: UInt64) -> Bool {
        let bell = bellPointer
        millrace_doorbell_prepare(bell)
        if millrace_queue_has_ready(raw) || consumer.isClosed {
            millrace_doorbell_cancel(bell)
            return true
        }
        return millrace_doorbell_wait(bell, nanoseconds)
    }

    private var bellPointer: UnsafeMutablePointer<millrace_doorbell> { millrace_queue_bell(raw) }
}
