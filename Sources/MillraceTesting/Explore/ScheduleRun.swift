// SPDX-License-Identifier: Apache-2.0

/// One run of a scenario.
struct ScheduleRun {
    let failure: SimulationFailure.Reason?
    /// Equal for two failures of the same defect; nil without a failure.
    let failureKind: String?
    let choices: [Int]
    let stepCount: Int
    let steps: [String]
    let hash: UInt64

    init(
        _ choices: Choices,
        seed: UInt64,
        time: SimulatedWorld.TimePassing,
        isTracing: Bool,
        mostSteps: Int = .max,
        _ scenario: (SimulatedWorld) throws -> Void
    ) {
        let world = SimulatedWorld(choosing: choices, seed: seed, time: time, isTracing: isTracing)
        world.scheduler.hardLimit = mostSteps
        world.scheduler.looksOutside = mostSteps == .max
        var failure: SimulationFailure.Reason?
        var kind: String?
        do {
            try scenario(world)
        } catch let error as SimulationFailure {
            failure = error.reason
        } catch {
            failure = .thrown("\(error)")
            kind = (error as? RuleViolation)?.kind
        }
        // An error of the scenario takes precedence, because it may say more than the failure of the world.
        self.failure = failure ?? world.scheduler.failure
        failureKind = kind ?? self.failure?.kind
        self.choices = world.scheduler.chosen
        stepCount = world.stepCount
        steps = world.scheduler.trace
        hash = world.stepHash
    }
}

extension SimulationFailure.Reason {
    /// Equal for two failures of the same defect. Numbers in the text of an error, and the text after its first colon
    /// or bracket, may differ from run to run.
    fileprivate var kind: String {
        switch self {
        case .stuck: "stuck"
        case .outside: "outside"
        case .invariant(let name): "invariant \(name)"
        case .tooManySteps: "too many steps"
        case .thrown(let error): "thrown " + error.prefix { !":([".contains($0) }.filter { !$0.isNumber }
        }
    }
}
