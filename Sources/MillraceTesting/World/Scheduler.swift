// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Millrace
import MillraceCore
import Synchronization

/// Runs a simulated world: keeps a list of what can run, chooses one of it, runs that for one step, and so on.
///
/// One thread at a time has the **token**: the thread that runs the world, or the world's thread whose step it is. Only
/// the holder of the token may use the properties, except `holder`, `inbox` and `hasMail`. While no run is under way,
/// the token belongs to the caller.
final class Scheduler: TaskExecutor, @unchecked Sendable {
    // Unchecked because of the token.

    enum Work {
        case turn(SimulatedHost)
        case thread(WorldThread)
        case job(UnownedJob)
        case callback(String, () -> Void)
    }

    struct GracePeriod {
        /// The threads that are in a read section, and how often each has been outside of one.
        let readers: [(thread: WorldThread, timesOutside: UInt64)]
        let body: @Sendable () -> Void

        var isOver: Bool { readers.allSatisfy { $0.thread.timesOutside != $0.timesOutside } }
    }

    struct Ready {
        let candidate: Candidate
        let work: Work
    }

    let seed: UInt64
    let time: SimulatedWorld.TimePassing
    let isTracing: Bool
    /// Nanoseconds since the beginning.
    var now: UInt64 = 0
    var choices: Choices
    /// The choices made so far.
    var chosen: [Int] = []
    var hash = StepHash()
    var stepCount = 0
    var trace: [String] = []
    var invariants: [(name: String, holds: () -> Bool)] = []
    var failure: SimulationFailure.Reason?
    /// The step count at which the run fails if it has not ended.
    var hardLimit = Int.max
    /// How often a wait with a time limit has ended without a step in between. A handler that waits for room tries
    /// again after each.
    private var idleWaits = 0
    /// Whether a run that ends waits for tasks that are outside of the world. False while a schedule is made shorter.
    var looksOutside = true
    /// The objects that the scenario wants released.
    var releases: [ExpectedRelease] = []
    /// Whether a step may have to wait in its middle: one of the stores has a journal.
    var stepsMayBlock = false
    /// The middlewares of its stores that start effects.
    var effects: [WeakEffects] = []

    /// What can run, the one that has waited longest first.
    var ready: [Ready] = []
    /// Sorted by `due`, then by number.
    var timers: [WorldTimer] = []
    var threads: [WorldThread] = []
    var gracePeriods: [GracePeriod] = []
    /// The names of the tasks of the world that have not ended, by number.
    var tasks: [UInt64: String] = [:]
    private var lastTask: UInt64 = 0
    /// The key of the candidate that ran last.
    private var last: UInt64 = 0
    private var candidates: [Candidate] = []
    private var numbers: SeededNumbers
    private var counts: [UInt64] = Array(repeating: 0, count: 8)
    /// The thread whose step it is; nil: the thread that runs the world.
    private var current: WorldThread?
    private(set) var isAborted = false
    private var isChecking = false
    private let back = Semaphore()
    /// Where the threads of this world run.
    var processor = Processor()
    /// The thread that has the token; 0: no run is under way.
    private let holder = Atomic<UInt>(0)
    /// What threads from outside asked for.
    private let inbox = Locked<[(what: String?, work: @Sendable () -> Void)]>([])
    private let hasMail = Atomic<Bool>(false)

    init(_ choices: Choices, seed: UInt64, time: SimulatedWorld.TimePassing, isTracing: Bool) {
        self.choices = choices
        self.seed = seed
        self.time = time
        self.isTracing = isTracing
        numbers = SeededNumbers(seed ^ 0x5EED)
    }

    func number(of kind: Candidate.Kind) -> UInt64 {
        counts[Int(kind.rawValue)] += 1
        return counts[Int(kind.rawValue)]
    }

    func nextStore() -> UInt64 { number(of: .store) }

    // MARK: The token

    /// Whether the calling thread has the token.
    private var isInside: Bool {
        let holder = holder.load(ordering: .acquiring)
        return holder == 0 || holder == CurrentThread.number
    }

    private func takeToken() { holder.store(CurrentThread.number, ordering: .releasing) }

    /// Runs `body` with the token. If the caller is a thread from outside, lets the run fail, runs `body` at the run's
    /// next step, and waits for it.
    func enter(_ what: String, _ body: () -> Void) {
        if isInside { return body() }
        withoutActuallyEscaping(body) { body in
            let lent = LentWork(body)
            let isDone = DispatchSemaphore(value: 0)
            post("a thread that is not of the world \(what)" + OutsideWatch.callers()) {
                lent.run()
                isDone.signal()
            }
            // The run may have ended meanwhile without reading the inbox.
            while isDone.wait(timeout: .now() + .milliseconds(5)) == .timedOut {
                readInboxBetweenRuns()
            }
        }
    }

    /// Puts `work` into the inbox, which the run reads at its next step. The run then fails, unless `what` is nil. Any
    /// thread.
    private func post(_ what: String?, _ work: @escaping @Sendable () -> Void) {
        inbox.withLock { $0.append((what, work)) }
        hasMail.store(true, ordering: .releasing)
    }

    /// Reads the inbox as the holder of the token, if no run is under way. Any thread.
    private func readInboxBetweenRuns() {
        // Acquiring and releasing: pairs with the store of 0 below and in `endRun`, so that the next holder sees the
        // changes.
        let isTaken = holder.compareExchange(
            expected: 0,
            desired: CurrentThread.number,
            ordering: .acquiringAndReleasing
        ).exchanged
        guard isTaken else { return }
        readInbox()
        holder.store(0, ordering: .releasing)
    }

    func readInbox() {
        guard hasMail.exchange(false, ordering: .acquiringAndReleasing) else { return }
        let mail = inbox.withLock { mail in
            defer { mail = [] }
            return mail
        }
        for (what, work) in mail {
            if let what { fail(.outside(what)) }
            work()
        }
    }

    // MARK: What can run

    func add(_ host: SimulatedHost) {
        if isIdle, host.pipeline.isClosing {
            // A store that was released between two runs.
            host.finish()
            return
        }
        ready.append(Ready(candidate: Candidate(kind: .store, number: host.number), work: .turn(host)))
    }

    func addThread(_ name: String, _ role: WorldThread.Role = .user, _ body: @escaping @Sendable () throws -> Void) {
        let thread = WorldThread(number(of: .thread), name, role, back: back, body)
        threads.append(thread)
        add(thread)
    }

    private func add(_ thread: WorldThread) {
        ready.append(Ready(candidate: Candidate(kind: .thread, number: thread.number), work: .thread(thread)))
    }

    func addTask(_ name: String, _ body: @escaping @Sendable () async throws -> Void) {
        lastTask += 1
        let number = lastTask
        tasks[number] = name
        Task.detached(executorPreference: self) { [self] in
            do { try await body() } catch { fail(.thrown("task '\(name)' threw \(error)")) }
            tasks[number] = nil
        }
    }

    func addCallback(_ name: String, _ body: @escaping () -> Void) {
        let candidate = Candidate(kind: .callback, number: number(of: .callback))
        ready.append(Ready(candidate: candidate, work: .callback(name, body)))
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // Between two runs, any thread may resume a task, for example the test itself or a callback.
        if isIdle { return post(nil) { [self] in add(job) } }
        if isInside { return add(job) }
        post(
            """
            a task of the world was resumed by a thread that is not of the world: it slept on a clock of the system, such as \
            with Task.sleep, was on the main actor, or waited for a callback from outside. Use the clock of the world, and \
            let the world do what the task waits for
            """
        ) { [self] in add(job) }
    }

    private func add(_ job: UnownedJob) {
        ready.append(Ready(candidate: Candidate(kind: .job, number: number(of: .job)), work: .job(job)))
    }

    func addTimer(_ name: String, in wait: UInt64, sleep: SleepTimer? = nil, _ fire: @escaping () -> Void) {
        let (sum, isTooLate) = now.addingReportingOverflow(wait)
        let due = isTooLate ? .max : sum
        let timer = WorldTimer(due: due, number: number(of: .timer), name: name, sleep: sleep, fire: fire)
        let index = timers.firstIndex { $0.due > timer.due } ?? timers.endIndex
        timers.insert(timer, at: index)
    }

    func random() -> UInt64 {
        var number: UInt64 = 0
        enter("takes a random number of the world") { number = numbers.next() }
        return number
    }

    func wantsTidying() -> Bool { numbers.next(below: 8) == 0 }

    // MARK: Steps

    /// Runs until `isOver` returns true, or until nothing can run before `limit`. Returns true if `isOver` has returned
    /// true. Without `isOver`, returns true if nothing can run before `limit`.
    func loop(until isOver: (() -> Bool)? = nil, limit: UInt64 = .max, steps: Int) -> Bool {
        // A step that blocks continues the run inside the step: the outer limit holds there, too.
        let outerLimit = hardLimit
        hardLimit = min(stepCount &+ steps, outerLimit)
        defer { hardLimit = outerLimit }
        while failure == nil {
            readInbox()
            if let isOver, isOver() { return true }
            wakeThreads()
            endGracePeriods()
            gather()
            if candidates.isEmpty {
                guard passTime(limit) else { return isOver == nil }
                continue
            }
            guard stepCount < hardLimit else {
                fail(.tooManySteps(steps))
                break
            }
            step()
        }
        return false
    }

    /// Adds the threads whose wait is over to those that can run.
    private func wakeThreads() {
        for thread in threads {
            guard let wait = thread.wait, wait.end <= now || wait.isOver() else { continue }
            thread.wait = nil
            add(thread)
        }
    }

    private func gather() {
        candidates.removeAll(keepingCapacity: true)
        if let index = ready.firstIndex(where: { $0.candidate.key == last }), index > 0 {
            ready.insert(ready.remove(at: index), at: 0)
        }
        for entry in ready { candidates.append(entry.candidate) }
        if time == .anytime, let first = timers.first {
            candidates.append(Candidate(kind: .timer, number: first.number))
        }
    }

    /// Lets the clock move to the next timer, or to the end of a thread's wait. Returns false if there is none before
    /// the limit.
    private func passTime(_ limit: UInt64) -> Bool {
        let waits = threads.compactMap { $0.wait?.end }.filter { $0 != .max }.min()
        guard let due = [timers.first?.due, waits].compactMap({ $0 }).min(), due <= limit else { return false }
        now = max(now, due)
        hash.add(now)
        if let timer = timers.first, timer.due <= now {
            step(candidate: Candidate(kind: .timer, number: timer.number), nil)
        }
        return true
    }

    private func step() {
        let choice = choices.choose(chosen.count, among: candidates)
        chosen.append(choice)
        if choice < ready.count {
            let entry = ready.remove(at: choice)
            step(candidate: entry.candidate, entry.work)
        } else {
            step(candidate: candidates[choice], nil)
        }
    }

    /// Runs one step. Without `work`, the first timer fires.
    private func step(candidate: Candidate, _ work: Work?) {
        stepCount += 1
        idleWaits = 0
        hash.add(candidate.key)
        last = candidate.key
        var line = isTracing ? label(candidate, work) : ""
        switch work {
        case .turn(let host):
            perform("store \(host.number)") { self.turn(host) }
        case .thread(let thread):
            run(thread)
            if isTracing { line += thread.reason }
        case .job(let job): perform("task") { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        case .callback(let name, let body): perform(name, body)
        case nil:
            let timer = timers.removeFirst()
            now = max(now, timer.due)
            perform(timer.name, timer.fire)
        }
        if isTracing { trace.append(line) }
        if let what = OutsideWatch.take() { fail(.outside(what)) }
        checkInvariants()
    }

    private func turn(_ host: SimulatedHost) {
        let before = host.pipeline.progress
        guard host.turn() else { return }
        // A turn without progress waits for a producer in the middle of a push: do not prefer this store in the next
        // step.
        if host.pipeline.progress == before { last = 0 }
        add(host)
    }

    /// Runs a step. In a world with a journal on a thread of its own: there it may have to wait for what another step
    /// does, which may have to wait for a third one.
    private func perform(_ name: @autoclosure () -> String, _ body: @escaping () -> Void) {
        guard stepsMayBlock else { return body() }
        // One thread at a time has the token.
        nonisolated(unsafe) let body = body
        let thread = WorldThread(number(of: .thread), name(), .step, back: back) { body() }
        threads.append(thread)
        run(thread)
    }

    private func checkInvariants() {
        // A rule that reads the state of a store which publishes on demand gets the published state: no step may run
        // here.
        isChecking = true
        defer { isChecking = false }
        for invariant in invariants where !invariant.holds() { fail(.invariant(invariant.name)) }
    }

    private func run(_ thread: WorldThread) {
        current = thread
        thread.run(self) { [self] in takeToken() }
        current = nil
        takeToken()
        if thread.isEnded {
            threads.removeAll { $0 === thread }
            if let error = thread.error { fail(.thrown("thread '\(thread.name)' threw \(error)")) }
        } else if thread.wait == nil {
            add(thread)
        }
    }

    // MARK: On the threads of the world

    /// Ends a step of the calling thread, if it is one of the world's.
    func pause(_ reason: @autoclosure () -> String) {
        // Before `current` is read: only the holder of the token may.
        guard isInside, let current, current.role != .step, !isAborted else { return }
        handBack(current, isTracing ? reason() : "")
        if let what = OutsideWatch.take() { fail(.outside(what)) }
    }

    /// Blocks the calling thread until `isOver` returns true, or until a time. If it would wait forever, lets the run
    /// fail and returns true.
    func block(_ reason: String, atMost nanoseconds: UInt64, until isOver: () -> Bool) -> Bool {
        if isOver() || isChecking { return true }
        if isAborted {
            // Let the other threads go on: one of them may hold what this thread waits for.
            if let current { handBack(current, reason) }
            return true
        }
        let (sum, isTooLate) = now.addingReportingOverflow(nanoseconds)
        let end = isTooLate ? .max : sum
        guard isInside else {
            fail(outside: "a thread that is not of the world \(reason) in a store of the world")
            return true
        }
        guard let current else { return blockRunner(reason, until: end, isOver) }
        return withoutActuallyEscaping(isOver) { isOver in
            current.wait = WorldThread.Wait(reason: reason, isOver: isOver, end: end)
            handBack(current, reason)
            current.wait = nil
            return isAborted || isOver()
        }
    }

    /// Continues the run while a task, a handler or the test blocks: inside the step, or between two runs.
    private func blockRunner(_ reason: String, until end: UInt64, _ isOver: () -> Bool) -> Bool {
        let isBetween = isIdle
        if isBetween { beginRun() }
        defer { if isBetween { endRun() } }
        let isDone = withoutActuallyEscaping(isOver) { isOver in
            loop(until: { [self] in isOver() || now >= end }, limit: end, steps: 1_000_000)
        }
        if isDone { return isOver() }
        if end != .max, failure == nil, idleWaits < 1_000 {
            idleWaits += 1
            now = max(now, end)
            return isOver()
        }
        fail(.stuck(["a handler, a task or the test \(reason)"]))
        return true
    }

    private func handBack(_ thread: WorldThread, _ reason: String) {
        thread.handBack(reason)
        takeToken()
    }

    func fail(_ reason: SimulationFailure.Reason) {
        if failure == nil { failure = reason }
    }

    private func fail(outside what: String) {
        post(what + OutsideWatch.callers()) {}
    }

    // MARK: Beginning and end of a run

    var isIdle: Bool { holder.load(ordering: .acquiring) == 0 }

    func beginRun() {
        // Another thread may be reading the inbox.
        while holder.load(ordering: .relaxed) != CurrentThread.number,
            !holder.compareExchange(
                expected: 0,
                desired: CurrentThread.number,
                ordering: .acquiringAndReleasing
            ).exchanged
        { sched_yield() }
        processor.enter()
    }

    func endRun() {
        processor.leave()
        holder.store(0, ordering: .releasing)
    }

    /// After a failure: lets the threads of the world run to their ends, without steps. A thread that does not end
    /// stays blocked.
    func abort() {
        isAborted = true
        for _ in 0..<1_000 where !threads.isEmpty {
            for thread in threads {
                thread.wait = nil
                current = thread
                thread.run(self) { [self] in takeToken() }
                current = nil
                takeToken()
            }
            threads.removeAll(where: \.isEnded)
        }
        threads = []
    }
}
