// SPDX-License-Identifier: Apache-2.0

/// A list of actions after which a rule about the state does not hold.
public struct PropertyFailure<Action: Sendable>: Error, Sendable, CustomStringConvertible {
    /// The rule in words.
    public let property: String
    /// The states around the action that broke the rule, or what went wrong in the run.
    public let detail: String
    /// The seed of the list, and of the world.
    public let seed: UInt64
    /// The number of lists that were run, including the one that failed. 0 if there was nothing to run.
    public let foundAfter: Int
    /// The shortest and simplest list that was found to break the rule.
    public let actions: [Action]
    /// The number of actions in the list as it was generated.
    public let originalCount: Int
    /// The steps of the shortest schedule that was found. Empty for a reducer alone.
    public let steps: [String]
    /// The command that runs the seed again.
    public let command: String

    /// The rule, the actions, the steps and the command.
    public var description: String {
        if foundAfter == 0 { return "The rules cannot be checked: \(detail)" }
        let list = actions.map { String(describing: $0) }.numberedLines
        let schedule = steps.isEmpty ? "" : "\nThe schedule:\n\(steps.numberedLines)"
        return """
            The rule '\(property)' does not hold. \(detail)
            Found with seed \(seed), after \(foundAfter) lists. The shortest list found has \(actions.count) actions; the \
            first one had \(originalCount):
            \(list)\(schedule)
            Run the seed again: \(command)
            """
    }
}

extension PropertyFailure {
    /// Nothing was run, for this reason.
    init(nothingToRun reason: String) {
        self.init(
            property: "",
            detail: reason,
            seed: 0,
            foundAfter: 0,
            actions: [],
            originalCount: 0,
            steps: [],
            command: ""
        )
    }
}
