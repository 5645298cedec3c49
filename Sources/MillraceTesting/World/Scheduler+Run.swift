// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceCore
import MillraceRuntime

// Runs, and the texts of their reports.
extension Scheduler {
    func run(until limit: Duration?, steps: Int) throws(SimulationFailure) {
        begin()
        let isQuiet = loop(limit: limit.map(\.nanosecondsOfWorld) ?? .max, steps: steps)
        // If timers are left beyond the limit, threads and tasks may be waiting for them.
        if isQuiet, timers.isEmpty {
            if !tasks.isEmpty, looksOutside {
                waitForOutside(milliseconds: 1_000)
            } else if looksOutside, seed % 64 == 0, !effectsUnderWay.isEmpty {
                waitForOutside(milliseconds: 100)
            }
            noteWaiting()
        }
        try end()
    }

    func advance(by duration: Duration) throws(SimulationFailure) {
        begin()
        let (sum, isTooLate) = now.addingReportingOverflow(duration.nanosecondsOfWorld)
        let end = isTooLate ? .max : sum
        _ = loop(limit: end, steps: 1_000_000)
        if failure == nil { now = max(now, end) }
        try self.end()
    }

    /// Ends the tasks of the effects that are under way, and releases the rules of the scenario. Without this, a task
    /// that waits, or a rule that reads a store, would keep the scheduler in memory forever. Called when the world is
    /// released.
    func close() {
        invariants = []
        looksOutside = false
        cancelEffects()
        if failure == nil { try? run(until: .zero, steps: 10_000) }
        // Threads that serve stores wait for them. No run wakes them any more.
        if failure == nil, !threads.isEmpty {
            begin()
            abort()
            finishRun()
        }
    }

    private func begin() {
        if isAborted { return }
        OutsideWatch.begin()
        beginRun()
    }

    private func end() throws(SimulationFailure) {
        // Read while this thread still holds the token.
        let failure = failure
        if !isAborted {
            if failure != nil { abort() }
            finishRun()
        }
        if let failure { throw SimulationFailure(reason: failure, seed: seed, step: stepCount) }
    }

    private func finishRun() {
        endRun()
        OutsideWatch.end()
        _ = OutsideWatch.take()
    }

    /// Waits for a thread from outside that resumes a task of the world. Only this shows that the task slept on a clock
    /// of the system, or was on the main actor. For effects, the world waits only under one seed in 64: an effect may
    /// wait forever, and one that leaves the world does so under every seed.
    private func waitForOutside(milliseconds: Int) {
        for _ in 0..<milliseconds where failure == nil {
            readInbox()
            usleep(1_000)
        }
        readInbox()
    }

    /// Lets the run fail if threads or tasks wait forever.
    private func noteWaiting() {
        let waiting =
            threads.filter { $0.role != .service }.map { "thread '\($0.name)' \($0.wait?.reason ?? "waits")" }
            + tasks.sorted { $0.key < $1.key }.map { "task '\($0.value)' has not ended" }
        if !waiting.isEmpty { fail(.stuck(waiting)) }
    }

    /// The beginning of a step's line in the trace.
    func label(_ candidate: Candidate, _ work: Work?) -> String {
        switch work {
        case .turn(let host):
            let kind = host.pipeline.nextActionKind.map { "handles '\($0)'" } ?? "takes a message, or finds nothing"
            return "store \(candidate.number) \(kind)"
        case .thread(let thread): return "thread '\(thread.name)' "
        case .job: return "task: a part between two suspensions (job \(candidate.number))"
        case .callback(let name, _): return name
        case nil: return "time passes: \(timers.first?.name ?? "a timer") at \(Double(timers.first?.due ?? 0) / 1e9) s"
        }
    }
}

// What stores use of their world.
extension Scheduler: StoreWorld {
    var executor: any TaskExecutor { self }
    var clock: any Clock<Duration> { SimulatedClock(self) }
    var nanoseconds: UInt64 { now }

    func elsewhere(_ name: String, _ body: @escaping @Sendable () -> Void) {
        enter("uses the world") {
            if isIdle { body() } else { addCallback(name, body) }
        }
    }

    func service(_ name: String, _ body: @escaping @Sendable () -> Void) {
        enter("uses the world") {
            // That of a journal, or another one that works for it.
            stepsMayBlock = true
            addThread(name, .service, body)
        }
    }

    var isOver: Bool { failure != nil || isAborted }

    func after(_ wait: Duration, _ name: String, _ body: @escaping @Sendable () -> Void) {
        enter("uses the world") { addTimer(name, in: wait.nanosecondsOfWorld, body) }
    }

    func note(_ effects: any EffectsUnderWay) {
        enter("makes a store of the world") {
            self.effects.removeAll { $0.value == nil || $0.value === effects }
            self.effects.append(WeakEffects(value: effects))
        }
    }

    func afterGracePeriod(_ body: @escaping @Sendable () -> Void) {
        enter("closes a store of the world") {
            if isIdle { return body() }
            let readers = threads.filter(\.isReading).map { ($0, $0.timesOutside) }
            gracePeriods.append(GracePeriod(readers: readers, body: body))
        }
    }

    /// Adds the callbacks of the grace periods that have ended to what can run.
    func endGracePeriods() {
        guard !gracePeriods.isEmpty else { return }
        for period in gracePeriods where period.isOver { addCallback("a grace period ends", period.body) }
        gracePeriods.removeAll(where: \.isOver)
    }

    func sleep(_ timer: SleepTimer, until due: UInt64, _ continuation: CheckedContinuation<Void, any Error>) {
        enter("sleeps on the clock of the world") {
            if timer.isCancelled { return continuation.resume(throwing: CancellationError()) }
            timer.continuation = continuation
            addTimer("a sleep ends", in: due - min(due, now), sleep: timer) {
                timer.continuation.take()?.resume()
            }
        }
    }

    func cancel(_ timer: SleepTimer) {
        enter("cancels a task of the world") {
            timer.isCancelled = true
            timer.continuation.take()?.resume(throwing: CancellationError())
            timers.removeAll { $0.sleep === timer }
        }
    }
}
