// SPDX-License-Identifier: Apache-2.0

extension SlownessShares.Part {
    /// The stage as the subject of a sentence.
    var subject: String {
        switch work {
        // All middlewares that have no stage of their own.
        case .stage(.middleware) where name == "other": "other middlewares"
        case .stage(.middleware): "the middleware \(name)"
        case .stage(.reducers) where mayCopy:
            if let copiers {
                "a copy that \(copiers.subject) causes if it keeps its state, or the reducers' own work"
            } else {
                "the reducers, or a copy that they must make because a lift or other code keeps the state"
            }
        case .stage(.reducers): "the reducers"
        case .stage(.effects): "starting effects and afterReduce"
        case .stage(.publication): "publishing the state"
        case .stage(.journal): "waiting for the disk"
        case .stage(.queue), .stage(.total): name
        case .unnamed: "in middlewares without a name"
        case .pipeline: "the pipeline itself and the measurement"
        }
    }

    /// The nanoseconds for each action.
    var average: Double { time / Double(max(1, count)) }

    /// Whether the reducers take long enough for the copy of a large value. Changing an array that other code still
    /// holds copies it first. The time counts for the reducers, but the cause is the code that holds the array.
    var mayCopy: Bool { work == .stage(.reducers) && average >= 1000 }

    /// A sentence on the middlewares whose copies may explain the time; empty if there are none.
    var copySentence: String {
        guard let copiers, average >= 1000 else { return "" }
        return switch work {
        case .stage(.middleware): " In `handle`, \(copiers.sentence)."
        case .stage(.reducers): " Before the reducers, \(copiers.sentence)."
        case .stage(.effects): " In an IO, \(copiers.sentence)."
        default: ""
        }
    }

    /// Advice on how to make such a stage faster.
    var hint: String {
        switch work {
        case .stage where average < 200:
            "So few nanoseconds are little more than what measuring them costs: there is nothing to gain here."
        case .stage(.middleware) where copiers != nil && average >= 1000:
            """
            If its lift computes the state by a closure, each `state()` computes it again: lift by a key path, or read \
            the state once. Let `handle` only decide, and run the slow code in an effect.
            """
        case .stage(.middleware):
            """
            Let `handle` only decide, and run the slow code in an effect; or lift or gate the middleware, so that it \
            handles fewer actions.
            """
        case .stage(.reducers) where mayCopy && copiers != nil:
            """
            See whether \(copiers?.subject ?? "") still holds what `state()` gave it when the reducers run: in its IO, in an \
            effect, in a property. The first change then copies a whole array or dictionary. Let it read the state again \
            in the IO, or keep only the figures that it needs. If it holds nothing, look for other code that does: a \
            subscriber that keeps states, a publication after each action. Then look for work that belongs in an effect.
            """
        case .stage(.reducers) where mayCopy:
            """
            Find the code that still holds a part of the state when the reducers run, as the first change then copies \
            it: a middleware that keeps what `state()` or its lift gave it, a subscriber that keeps states, a \
            publication after each action. Then look for large values that are not changed in place, for searches \
            through arrays, and for work that belongs in an effect.
            """
        case .stage(.reducers):
            """
            Look for copies of large values (change them in place), for searches through arrays, and for work that \
            belongs in an effect.
            """
        case .stage(.effects) where copiers != nil && average >= 1000:
            """
            If the lift of \(copiers?.subject ?? "") computes the state by a closure, each `state()` computes it again: lift by \
            a key path, or read the state once. What runs before an effect's first await runs on the pipeline: let it \
            only start the work.
            """
        case .stage(.effects):
            "What runs before an effect's first await runs on the pipeline: let it only start the work."
        case .stage(.publication):
            """
            Publish less often, subscribe to a part of the state only, and let subscribers do slow things on other \
            threads.
            """
        case .stage(.journal):
            """
            The pipeline is ahead of its journal: hold the effects instead of waiting (`held: .held`), choose a weaker \
            durability, give the journal more room (`capacity`) or a faster disk.
            """
        case .unnamed where average < 1000:
            """
            Give them names with `named(_:)`: what has a name has a stage of its own. Part of so short a time is the \
            pipeline itself and the measurement.
            """
        case .unnamed:
            "Give them names with `named(_:)`: what has a name has a stage of its own."
        case .pipeline:
            """
            No code of yours is in it: measure a sample only (`turnOn(oneIn: 16)`), and make one action of many small \
            ones.
            """
        case .stage(.queue), .stage(.total): ""
        }
    }
}
