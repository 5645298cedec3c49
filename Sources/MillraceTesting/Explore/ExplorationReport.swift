// SPDX-License-Identifier: Apache-2.0

/// What an exploration did.
public struct ExplorationReport: Sendable, Hashable, CustomStringConvertible {
    /// The number of schedules that were run.
    public private(set) var schedules = 0
    /// The number of steps of all schedules.
    public private(set) var steps = 0
    /// A hash of the steps of all schedules: equal for two explorations that did the same.
    public var hash: UInt64 { sum.value }

    private var sum = StepHash()

    /// One line: the numbers.
    public var description: String {
        let mean = schedules == 0 ? 0 : steps / schedules
        return "\(schedules) schedules, \(steps) steps (\(mean) a schedule)"
    }

    /// Returns whether two explorations did the same.
    public static func == (left: ExplorationReport, right: ExplorationReport) -> Bool {
        (left.schedules, left.steps, left.hash) == (right.schedules, right.steps, right.hash)
    }

    /// Hashes the numbers.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(schedules)
        hasher.combine(steps)
        hasher.combine(hash)
    }

    mutating func note(_ run: ScheduleRun) {
        schedules += 1
        steps += run.stepCount
        sum.add(run.hash)
    }
}
