// SPDX-License-Identifier: Apache-2.0

public import Millrace
package import MillraceCore

/// A deterministic world for stores: a seed decides who runs next, after every step.
///
/// ```swift
/// let world = SimulatedWorld(seed: 7)
/// let store = ReduxStoreBase(initialState: 0, reducer: counter, engine: .simulated(in: world))
/// world.thread("a") { for _ in 0..<10 { store.dispatch(.up) } }
/// world.thread("b") { for _ in 0..<10 { store.dispatch(.down) } }
/// try world.run()
/// #expect(store.state == 0)
/// ```
///
/// Everything that runs belongs to the world: the pipelines of its stores, its threads and tasks, the tasks of effects,
/// the timers of ``clock``. One of them runs at a time. After each step the world chooses the next one by its seed, so
/// that the same seed gives the same run. A step is one action of a pipeline, or one timer. A thread's step is its code
/// from one dispatch or ``pause()`` to the next, a task's step its code from one `await` to the next.
///
/// Stores, middlewares, effects, gates and plugins run the same code as in production.
///
/// **Time.** The clock of the world moves when nothing else can run, to the next timer. So a test never waits. With
/// ``TimePassing/anytime`` the clock may move at every step, as on a busy machine. Reducers that are made by `reduceAt`
/// get the time of the world, which begins with the year 1970.
///
/// **Outside.** The run fails if a thread or a task that is not of the world uses a store of the world, because such a
/// run could not be repeated. The run also fails if a task of the world sleeps on another clock or hops to another
/// executor, as soon as a thread from outside resumes the task.
///
/// **Threads.** Use a world from one thread at a time; during a run, only from its own threads, tasks, handlers and
/// rules. ``run(until:steps:)`` blocks its caller until the run is over.
public final class SimulatedWorld: Sendable {
    /// The seed that decides who runs next.
    public let seed: UInt64
    let scheduler: Scheduler

    /// Creates a world at time zero.
    ///
    /// - Parameters:
    ///   - seed: The seed that decides who runs next.
    ///   - time: When the clock may move.
    public init(seed: UInt64, time: TimePassing = .whenIdle) {
        self.seed = seed
        scheduler = Scheduler(.random(seed: seed), seed: seed, time: time, isTracing: false)
    }

    init(choosing choices: Choices, seed: UInt64, time: TimePassing, isTracing: Bool) {
        self.seed = seed
        scheduler = Scheduler(choices, seed: seed, time: time, isTracing: isTracing)
    }

    /// The world as stores and journals see it.
    package var storeWorld: any StoreWorld { scheduler }

    deinit {
        scheduler.close()
    }

    /// When the clock of a world may move.
    public enum TimePassing: Sendable, Hashable {
        /// Only when nothing else can run. A timeout never fires while the work that it limits can still run.
        case whenIdle
        /// At every step. A timer may fire although other work can run, as on a busy machine.
        case anytime
    }

    /// The clock of the world. Effects of its stores use it unless their options name another clock.
    public var clock: SimulatedClock { SimulatedClock(scheduler) }

    /// Random numbers for the scenario, which depend on the seed alone.
    public var random: SimulatedRandom { SimulatedRandom(scheduler) }

    /// Adds a thread, which begins to run in ``run(until:steps:)``. Each dispatch to a store of the world ends a step
    /// of the thread.
    ///
    /// - Parameters:
    ///   - name: The name in reports.
    ///   - body: The code of the thread. It may block in calls of a store: for room in a bounded store, or for the
    ///     state of a store that publishes on demand. An error that it throws makes the run fail.
    public func thread(_ name: String, _ body: @escaping @Sendable () throws -> Void) {
        scheduler.addThread(name, .user, body)
    }

    /// Adds a task, which begins to run in ``run(until:steps:)``. Each `await` that suspends ends a step of the task.
    ///
    /// - Parameters:
    ///   - name: The name in reports.
    ///   - body: The code of the task. An error that it throws makes the run fail.
    public func task(_ name: String, _ body: @escaping @Sendable () async throws -> Void) {
        scheduler.addTask(name, body)
    }

    /// Ends a step of the calling thread of the world, so that others may run. Elsewhere it does nothing.
    public func pause() {
        scheduler.pause("pauses")
    }

    /// Adds a rule that must hold after every step.
    ///
    /// - Parameters:
    ///   - name: The rule in words, for the report.
    ///   - holds: Returns whether the rule holds. It is called after every step, and must not dispatch. If it reads the
    ///     state of a store, it gets the state that was published last, also if the store publishes on demand.
    public func invariant(_ name: String, _ holds: @escaping @Sendable () -> Bool) {
        scheduler.invariants.append((name, holds))
    }

    /// Runs until nothing is left to do: every pipeline is idle, every thread and task of the world has ended, no timer
    /// is set.
    ///
    /// - Parameters:
    ///   - limit: The time of the world at which the run stops even if timers are left. If nil, the run stops when no
    ///     timer is left.
    ///   - steps: The most steps of this run.
    /// - Throws: ``SimulationFailure`` if the run cannot go on, or broke a rule.
    public func run(until limit: Duration? = nil, steps: Int = 1_000_000) throws(SimulationFailure) {
        try scheduler.run(until: limit, steps: steps)
    }

    /// Runs what can run now and what becomes due within a duration, then sets the clock to the end of the duration.
    ///
    /// - Throws: ``SimulationFailure`` as ``run(until:steps:)`` does.
    public func advance(by duration: Duration) throws(SimulationFailure) {
        try scheduler.advance(by: duration)
    }

    /// The number of steps so far.
    public var stepCount: Int { scheduler.stepCount }

    /// A hash of all steps so far: equal for two runs that took the same steps in the same order, in any process.
    ///
    /// A test that prints the seed and this hash shows whether a run on another machine was the same. Another build of
    /// the code under test may take other steps.
    public var stepHash: UInt64 { scheduler.hash.value }
}

extension StoreEngine {
    /// Runs the store in a simulated world, for tests. See ``SimulatedWorld``.
    public static func simulated(in world: SimulatedWorld) -> StoreEngine {
        let scheduler = world.scheduler
        return .hosted(in: scheduler) { SimulatedHost(scheduler, $0) }
    }
}
