// SPDX-License-Identifier: Apache-2.0

/// Makes a failing schedule shorter: removes choices, or replaces them by the choice without a switch. It begins with
/// many choices at a time, ends with one at a time, and keeps a schedule that still fails in the same way.
struct ScheduleShrinker {
    private let seed: UInt64
    private let time: SimulatedWorld.TimePassing

    private static var mostRuns: Int { 600 }
    /// After this time, the shrinker stops with the shortest schedule found so far.
    static var longestTime: Duration { .seconds(8) }
    private let limit: Duration

    init(seed: UInt64, time: SimulatedWorld.TimePassing, atMost limit: Duration) {
        self.limit = limit
        self.seed = seed
        self.time = time
    }

    /// Returns the shortest run found that fails in the same way, with its steps. Nil if that run does not fail again.
    func shrink(_ run: ScheduleRun, of scenario: (SimulatedWorld) throws -> Void) -> ScheduleRun? {
        var best = run
        var runs = 0
        let end = ContinuousClock.now + limit
        /// Runs these choices. Keeps them if they are simpler and fail in the same way.
        func isBetter(_ choices: [Int]) -> Bool {
            guard runs < Self.mostRuns, ContinuousClock.now < end else { return false }
            runs += 1
            let tried = again(choices, isTracing: false, mostSteps: 4 * run.stepCount + 1_000, scenario)
            guard tried.failureKind == run.failureKind, tried.cost < best.cost, tried.stepCount <= run.stepCount else {
                return false
            }
            best = tried
            return true
        }
        var length = best.choices.count
        while length > 0 {
            var start = 0
            while start < best.choices.count {
                let end = min(start + length, best.choices.count)
                let part = best.choices[start..<end]
                var without = best.choices
                without.removeSubrange(start..<end)
                var calm = best.choices
                calm.replaceSubrange(start..<end, with: repeatElement(0, count: end - start))
                if isBetter(without) { continue }
                if part.contains(where: { $0 != 0 }), isBetter(calm) { continue }
                start += length
            }
            length /= 2
        }
        let last = again(best.choices, isTracing: true, mostSteps: 4 * run.stepCount + 1_000, scenario)
        return last.failureKind == run.failureKind ? last : nil
    }

    private func again(
        _ choices: [Int],
        isTracing: Bool,
        mostSteps: Int = .max,
        _ scenario: (SimulatedWorld) throws -> Void
    ) -> ScheduleRun {
        ScheduleRun(.given(choices), seed: seed, time: time, isTracing: isTracing, mostSteps: mostSteps, scenario)
    }
}

extension ScheduleRun {
    /// How hard the schedule is to follow: each step counts 1, and each switch counts 4 more.
    fileprivate var cost: (Int, Int) {
        (stepCount + 4 * choices.count { $0 != 0 }, choices.reduce(0, +))
    }
}
