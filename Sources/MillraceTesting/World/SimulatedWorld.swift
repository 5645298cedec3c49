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
/// Everything that runs belongs to the world: the pipelines of its stores, its threads and tasks, the tasks of effects, the
/// timers of ``clock``. One of them runs at a time. After each step the world chooses the next one by its seed, so that the
/// same seed gives the same run. A step is one action of a pipeline, a thread's way from one dispatch (or ``pause()``) to the
/// next, a task's way from one `await` to the next, or one timer.
///
/// Stores, middlewares, effects, gates and plugins run with the code that they run with everywhere.
///
/// **Time.** The clock of the world moves when nothing else can run, to the next timer. So a test never waits. With
/// ``TimePassing/anytime`` it may move at every step, as on a machine that is busy. Reducers that are made by `reduceAt` get the
/// time of the world, which begins with the year 1970.
///
/// **Outside.** A thread or a task that is not of the world and uses a store of the world makes the run fail, as it would
/// make the run differ from time to time. So does a task of the world that sleeps on another clock or hops to another
/// executor, as soon as the outside resumes it.
///
/// **Threads.** Use a world from one thread at a time. ``run(until:steps:)`` blocks its caller until the run is over.
public final class SimulatedWorld: Sendable {
    /// The seed that decides.
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
        /// Only when nothing else can run. A timeout never comes before the work that it waits for, if that can be done.
        case whenIdle
        /// At every step. A timer may fire although other work could have run, as on a machine that is busy.
        case anytime
    }

    /// The clock of the world. Effects of its stores use it if their options name no other one.
    public var clock: SimulatedClock { SimulatedClock(scheduler) }

    /// A source of random numbers for the scenario, which depends on the seed alone.
    public var random: SimulatedRandom { SimulatedRandom(scheduler) }

    /// Adds a thread, which begins to run in ``run(until:steps:)``. Each dispatch to a store of the world ends a step of it.
    ///
    /// - Parameters:
    ///   - name: The name in reports.
    ///   - body: The code of the thread. It may block as a store lets it block: for room in a bounded store, for the state of
    ///     a store that publishes on demand. An error that it throws makes the run fail.
    public func thread(_ name: String, _ body: @escaping @Sendable () throws -> Void) {
        scheduler.addThread(name, .user, body)
    }

    /// Adds a task, which begins to run in ``run(until:steps:)``. Each `await` that suspends ends a step of it.
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
    ///   - holds: Returns whether the rule holds. It must not dispatch. It reads the published state of a store, also of one
    ///     that publishes on demand.
    public func invariant(_ name: String, _ holds: @escaping @Sendable () -> Bool) {
        scheduler.invariants.append((name, holds))
    }

    /// Runs until nothing is left to do: every pipeline is idle, every thread and task of the world has ended, no timer is
    /// set.
    ///
    /// - Parameters:
    ///   - limit: The time at which the run stops although timers are left; nil: when none is left.
    ///   - steps: The most steps of this run.
    /// - Throws: ``SimulationFailure`` if the run cannot go on, or broke a rule.
    public func run(until limit: Duration? = nil, steps: Int = 1_000_000) throws(SimulationFailure) {
        try scheduler.run(until: limit, steps: steps)
    }

    /// Runs what can run now and what becomes due within a duration, then lets the clock show the end of the duration.
    ///
    /// - Throws: ``SimulationFailure`` as ``run(until:steps:)`` does.
    public func advance(by duration: Duration) throws(SimulationFailure) {
        try scheduler.advance(by: duration)
    }

    /// The number of steps so far.
    public var stepCount: Int { scheduler.stepCount }

    /// A hash of all steps so far: equal for two runs that took the same steps in the same order, in any process.
    ///
    /// A test that prints the seed and this hash shows whether a run on another machine was the same. Another build of the code
    /// under test may take other steps.
    public var stepHash: UInt64 { scheduler.hash.value }
}

extension StoreEngine {
    /// Runs the store in a simulated world, for tests. See ``SimulatedWorld``.
    public static func simulated(in world: SimulatedWorld) -> StoreEngine {
        let scheduler = world.scheduler
        return .hosted(in: scheduler) { SimulatedHost(scheduler, $0) }
    }
}
