// SPDX-License-Identifier: Apache-2.0

import Millrace

/// Runs lists of actions by seeds, and makes a list that fails shorter.
struct PropertyRun<Action: Sendable, State> {
    /// How a list failed.
    struct Failure {
        let property: String
        let detail: String
    }

    let actions: ActionGenerator<Action>
    let function: String
    /// Runs a list with a seed.
    let run: (_ list: [Action], _ seed: UInt64) -> Failure?
    /// Returns the shortest schedule under which a list fails.
    var schedule: ((_ list: [Action], _ seed: UInt64) -> [String])?

    func check(seeds: Range<UInt64>, length: Int) throws(PropertyFailure<Action>) -> PropertyReport {
        var report = PropertyReport()
        let asked: AskedSeeds
        do {
            asked = try AskedSeeds(seeds)
        } catch {
            throw PropertyFailure(nothingToRun: "\(error)")
        }
        for seed in asked.seeds {
            let list = actions.actions(seed: seed, length: length)
            report.lists += 1
            report.actions += list.count
            guard let failure = run(list, seed) else { continue }
            let shrinker = ActionListShrinker(simpler: actions.simpler) { run($0, seed)?.property == failure.property }
            let shortest = shrinker.shrink(list)
            throw PropertyFailure(
                property: failure.property,
                detail: run(shortest, seed)?.detail ?? failure.detail,
                seed: seed,
                foundAfter: report.lists,
                actions: shortest,
                originalCount: list.count,
                steps: schedule?(shortest, seed) ?? [],
                command: AskedSeeds.command(seed, function)
            )
        }
        guard report.actions > 0 else {
            let reason = "the generator makes no actions: no case has a weight, or the length is 0"
            throw PropertyFailure(nothingToRun: reason)
        }
        return report
    }
}

/// Checks properties, one action after the other.
struct PropertyWatch<Action, State>: Sendable {
    let properties: [StateProperty<Action, State>]

    func atFirst(_ state: State) -> (String, String)? {
        for property in properties where property.holdsAtFirst?(state) == false {
            return (property.name, "The first state is \(state).")
        }
        return nil
    }

    func after(_ action: Action, _ before: State, _ after: State) -> (String, String)? {
        for property in properties where !property.holds(before, action, after) {
            return (property.name, "\(action) changed the state from \(before) to \(after).")
        }
        return nil
    }
}
