// SPDX-License-Identifier: Apache-2.0

import MillraceRuntime

/// Wakes a store's own thread by the doorbell; a push rings it by itself.
final class ThreadHost: PipelineHost {
    private let bell: Doorbell

    init(bell: Doorbell) {
        self.bell = bell
    }

    package var isKicked: Bool { false }
    package func kick(upTo position: UInt64) {}
    package func wake() { bell.ring() }
}

/// The loop of a store's own thread: drain, publish when due, spin for a while, sleep.
struct ThreadEngine: Sendable {
    let consumer: Consumer
    let wait: WaitStrategy

    /// Nanoseconds without a full batch after which the queue gives memory back.
    private static var quietTime: UInt64 { 50_000_000 }
    /// The longest time between two looks whether readers still hold memory; the first times are 50, 100 and 200 ms.
    /// Each look is a membarrier, which interrupts all threads of the process.
    private static var longestRest: UInt64 { 3_200_000_000 }
    private static let longestRestTicks = TickClock.ticks(nanoseconds: longestRest)
    private static var looksToGap: UInt32 { 16 }
    private static let quietTicks = TickClock.ticks(nanoseconds: quietTime)

    private var raw: QueueHandle { consumer.queue }

    /// Runs until the store is closed and nothing is pending.
    func run() {
        consumer.end(consumer.asConsumer { runLoop() })
    }

    private func runLoop() -> RetiredPipeline {
        var spin = spinning(hasPermit: false)
        var hasPermit = false
        defer { if hasPermit { SpinPermits.giveBack() } }
        var busyUntil = TickClock.now
        consumer.noteEmpty(busyUntil)
        while true {
            let mayHaveMore = consumer.drainOnce()
            consumer.publishAfterBatch()
            if mayHaveMore {
                busyUntil = TickClock.now
                continue
            }
            if consumer.isToFinish { break }
            tidyIfQuiet(since: busyUntil)
            if !hasPermit, wait.isEndless, SpinPermits.take() {
                hasPermit = true
                spin = spinning(hasPermit: true)
            }
            if !hasWork(within: spin.ticks, spin.pauses) {
                sleep()
                // Actions that wait from now on arrived after this time.
                consumer.noteEmpty(TickClock.now)
            }
        }
        return consumer.finish()
    }

    /// Returns the ticks to spin for, and the pauses between two reads of an empty queue. With one processor the thread
    /// does not spin, because the producer needs the processor. Each read takes the cache line away from the producer
    /// that writes it: reading without pauses halves the throughput.
    ///
    /// - Parameter hasPermit: Whether this thread may spin without end. If not, it waits as in the default strategy.
    private func spinning(hasPermit: Bool) -> (ticks: UInt64, pauses: Int) {
        let aMicrosecond = 64
        guard System.processors > 1 else { return (0, aMicrosecond) }
        let kind = wait.isEndless && !hasPermit ? WaitStrategy.spinThenPark().kind : wait.kind
        return switch kind {
        case .park: (0, aMicrosecond)
        case .spinThenPark(let duration): (Ticks.count(in: duration), aMicrosecond)
        case .busySpin: (.max, aMicrosecond)
        case .busySpinClosely: (.max, 4)
        }
    }

    /// Spins for `spin` ticks. Returns true as soon as there is something to do.
    private func hasWork(within spin: UInt64, _ pauses: Int) -> Bool {
        let start = TickClock.now
        var isTidy = false
        var tidiesAfter = Self.quietTicks
        var looks: UInt32 = 0
        while true {
            let now = TickClock.now
            consumer.noteEmpty(now)
            let waited = TickClock.between(start, now)
            if waited >= spin { return false }
            if waited > tidiesAfter, !isTidy {
                isTidy = !consumer.tidy()
                tidiesAfter = waited &+ min(waited, Self.longestRestTicks)
            }
            System.pause(pauses)
            if raw.front() != nil || consumer.hasBesides || consumer.isToFinish || consumer.canRelease { return true }
            // Rarely: it takes another line away from the producers, and each window costs a system call, a batch and
            // perhaps a publication.
            looks &+= 1
            if looks % Self.looksToGap == 0, raw.isStalled, raw.hasReadyBehindGap { return true }
            // The last state must not wait for an action that may never come.
            if consumer.counters.pointee.isDirty { consumer.publishAfterBatch() }
        }
    }

    /// Gives memory back while actions keep coming, if no batch was full for a long time.
    private func tidyIfQuiet(since busyUntil: UInt64) {
        guard consumer.isBloated,
            TickClock.between(busyUntil, TickClock.now) > Self.quietTicks
        else { return }
        _ = consumer.tidy()
    }

    /// Sleeps until an action arrives, the store closes, or a publication is due.
    private func sleep() {
        var isTidy = false
        var rest = Self.quietTime
        while true {
            let due = consumer.nanosecondsToPublication()
            if due == 0 { return consumer.publishIfDirty() }
            let limit = isTidy ? due ?? 0 : min(due ?? rest, rest)
            if park(atMost: limit) { return }
            // Quiet: give all spare memory back. Memory that readers still hold is given back later: see `longestRest`.
            if !isTidy, limit == rest {
                isTidy = !consumer.tidy()
                rest = min(2 * rest, Self.longestRest)
            }
        }
    }

    /// Sleeps on the doorbell. Returns true when there is something to do, false when the time ran out.
    func park(atMost nanoseconds: UInt64) -> Bool {
        let bell = bellPointer
        bell.prepare()
        if consumer.hasWork || consumer.isToFinish {
            bell.cancel()
            return true
        }
        consumer.noteAbsence()
        defer { consumer.noteEmpty(TickClock.now) }
        return bell.wait(nanoseconds: nanoseconds)
    }

    private var bellPointer: Doorbell { raw.bell }
}
