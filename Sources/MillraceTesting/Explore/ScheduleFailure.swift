// SPDX-License-Identifier: Apache-2.0

/// A schedule under which a scenario fails.
public struct ScheduleFailure: Error, Sendable, CustomStringConvertible {
    /// The seed of the world.
    public let seed: UInt64
    /// What goes wrong in the schedule of ``steps``.
    public let reason: SimulationFailure.Reason
    /// The number of schedules that were run, including the one that failed. 0 if there was nothing to run.
    public let foundAfter: Int
    /// The number of steps of the schedule before it was made shorter.
    public let originalSteps: Int
    /// Whether the same choices failed again. If not, the scenario depends on something besides its world.
    public let isRepeatable: Bool
    /// The steps of the shortest schedule that was found to fail in the same way, one line each. Empty if none failed
    /// again.
    public let steps: [String]
    /// The command that runs the seed again.
    public let command: String

    /// The reason, the steps and the command.
    public var description: String {
        if foundAfter == 0 { return "\(reason)" }
        let found = """
            \(reason)
            Found with seed \(seed), after \(foundAfter) \(foundAfter == 1 ? "schedule" : "schedules").
            """
        guard isRepeatable else {
            return """
                \(found) The same \(originalSteps) steps did not fail again: the scenario depends on something besides its \
                world, such as a clock, a random number, a global variable or the order of a set. Take that from the world, \
                so that a run can be repeated.
                Run the seed again: \(command)
                """
        }
        return """
            \(found) The shortest schedule found that fails in the same way has \(steps.count) steps; the first one had \
            \(originalSteps):
            \(steps.numberedLines)
            Run the seed again: \(command)
            """
    }
}

extension ScheduleFailure {
    /// Nothing was run, for this reason.
    init(nothingToRun reason: String) {
        self.init(
            seed: 0,
            reason: .thrown(reason),
            foundAfter: 0,
            originalSteps: 0,
            isRepeatable: true,
            steps: [],
            command: ""
        )
    }
}

extension [String] {
    /// The lines with their numbers.
    var numberedLines: String {
        enumerated().map { "\(String(repeating: " ", count: Swift.max(0, 5 - "\($0 + 1)".count)))\($0 + 1)  \($1)" }
            .joined(separator: "\n")
    }
}
