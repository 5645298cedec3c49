// SPDX-License-Identifier: Apache-2.0

extension SimulatedWorld {
    /// Runs a scenario in one world after another, each with its own seed, until one fails.
    ///
    /// ```swift
    /// try SimulatedWorld.explore(seeds: 0..<10_000) { world in
    ///     let store = ReduxStoreBase(initialState: Bank(), reducer: bank, engine: .simulated(in: world))
    ///     world.thread("teller") { store.dispatch(.withdraw(80)) }
    ///     world.thread("machine") { store.dispatch(.withdraw(80)) }
    ///     try world.run()
    ///     guard store.state.balance >= 0 else { throw Overdrawn() }
    /// }
    /// ```
    ///
    /// If a schedule fails, the function makes it shorter, in at most 600 runs or about 8 seconds. It removes choices
    /// as long as the scenario still fails in the same way. The error has the steps that are left, and the command that
    /// runs the seed again: the same test with the environment variable `MILLRACE_SEED`. If this variable is set, only
    /// its seed is run, and the steps are printed.
    ///
    /// **Threads.** The function blocks the calling thread until all schedules are run. It shows its progress on
    /// standard error if that is a terminal.
    ///
    /// - Parameters:
    ///   - seeds: The seeds to run.
    ///   - time: When the clocks of the worlds may move.
    ///   - function: The name of the test, for the command.
    ///   - scenario: The closure that makes stores and threads, runs the world, and throws if something is not as it
    ///     should be. It is called once for each world, and again to make a failing schedule shorter. It must do the
    ///     same each time: no clock, random number or file of its own.
    /// - Throws: ``ScheduleFailure`` for the first seed that fails, or if there is no seed to run.
    /// - Returns: How many schedules were run, and how long they were.
    @discardableResult
    public static func explore(
        seeds: Range<UInt64> = 0..<1_000,
        time: TimePassing = .whenIdle,
        function: String = #function,
        _ scenario: (SimulatedWorld) throws -> Void
    ) throws(ScheduleFailure) -> ExplorationReport {
        try explore(
            seeds: seeds,
            time: time,
            function: function,
            shrinkingAtMost: ScheduleShrinker.longestTime,
            scenario
        )
    }

    /// The same, with a limit of the time in which a failing schedule is made shorter.
    @discardableResult
    package static func explore(
        seeds: Range<UInt64>,
        time: TimePassing,
        function: String,
        shrinkingAtMost limit: Duration,
        _ scenario: (SimulatedWorld) throws -> Void
    ) throws(ScheduleFailure) -> ExplorationReport {
        var report = ExplorationReport()
        let asked: AskedSeeds
        do {
            asked = try AskedSeeds(seeds)
        } catch {
            throw ScheduleFailure(nothingToRun: "\(error)")
        }
        let progress = ExplorationProgress(asked.count)
        for seed in asked.seeds {
            let run = ScheduleRun(.random(seed: seed), seed: seed, time: time, isTracing: asked.isReplay, scenario)
            report.note(run)
            progress.show(report)
            if asked.isReplay { print(run.steps.numberedLines) }
            guard let reason = run.failure else { continue }
            let shortest = ScheduleShrinker(seed: seed, time: time, atMost: limit).shrink(run, of: scenario)
            throw ScheduleFailure(
                seed: seed,
                reason: shortest?.failure ?? reason,
                foundAfter: report.schedules,
                originalSteps: run.stepCount,
                isRepeatable: shortest != nil,
                steps: shortest?.steps ?? [],
                command: AskedSeeds.command(seed, function)
            )
        }
        return report
    }
}
