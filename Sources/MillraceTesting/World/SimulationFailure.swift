// SPDX-License-Identifier: Apache-2.0

/// Why a run of a simulated world failed.
public struct SimulationFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong.
    public enum Reason: Sendable, Hashable {
        /// Nothing can run, but these threads and tasks have not ended.
        case stuck([String])
        /// A thread or task from outside used the world, or a task of the world left it.
        case outside(String)
        /// A rule did not hold after a step.
        case invariant(String)
        /// The run did not end within this number of steps.
        case tooManySteps(Int)
        /// A thread, a task or the scenario threw this error.
        case thrown(String)
    }

    /// What went wrong.
    public let reason: Reason
    /// The seed of the world.
    public let seed: UInt64
    /// The number of steps until then.
    public let step: Int

    /// The reason, the step and the seed, in one line or more.
    public var description: String { "\(reason), after \(step) steps (seed \(seed))" }
}

extension SimulationFailure.Reason: CustomStringConvertible {
    /// The reason in words, with advice.
    public var description: String {
        switch self {
        case .stuck(let waiting):
            "nothing can run any more, and these wait for ever: \(waiting.joined(separator: "; "))"
        case .outside(let what): what
        case .invariant(let name): "the rule '\(name)' does not hold"
        case .tooManySteps(let count):
            "the run did not end within \(count) steps; give a time limit, or more steps, if it may take longer"
        case .thrown(let error): error
        }
    }
}
