// SPDX-License-Identifier: Apache-2.0

extension SlownessShares.Part {
    /// The words for this part in a finding, for example after "Of the work 40 % is".
    var subject: String {
        switch work {
        // The stage of all named middlewares for which no stage of their own was left.
        case .stage(.middleware) where name == "other": "other middlewares"
        case .stage(.middleware): "the middleware \(name)"
        case .stage(.reducers) where mayCopy:
            if let copiers {
                "a copy that \(copiers.subject) causes if it keeps its state, or the reducers' own work"
            } else {
                "the reducers, or a copy that they must make because a lift or other code keeps the state"
            }
        case .stage(.reducers): "the reducers"
        case .stage(.effects): "the IOs, which start the effects, and afterReduce"
        case .stage(.publication): "publishing the state"
        case .stage(.journal): "waiting for the disk"
        case .stage(.queue), .stage(.total): name
        case .unnamed: "in middlewares without a name"
        case .pipeline: "the pipeline itself and the measurement"
        }
    }

    /// The average time that this part takes for an action, in nanoseconds.
    var average: Double { time / Double(max(1, count)) }

    /// Whether this part is the reducers, and takes long enough to contain the copy of a large value. If other code
    /// still holds an array of the state, the first change copies the array. The copy counts as time of the reducers,
    /// but the code that holds the array causes it.
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

    /// The advice of the report on how to make this part faster. Empty for stages that are no work.
    var hint: String {
        switch work {
        case .stage where average < 200:
            "A stage this short takes hardly longer than its own measurement: there is nothing to gain here."
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
            Find the code that still holds a part of the state when the reducers run: their first change then copies \
            that part. It may be a middleware that keeps what `state()` or its lift gave it, a subscriber that keeps \
            states, or a publication after each action: then publish less often, or use a persistent collection, such as \
            `TreeDictionary` of swift-collections. Then look for large values that are not changed in place, for searches \
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
            a key path, or read the state once. The pipeline itself runs each IO, each `afterReduce`, and the bodies of \
            effects that need no task: let these only start the work.
            """
        case .stage(.effects):
            """
            The pipeline itself runs each IO, each `afterReduce`, and the bodies of effects that need no task \
            (`fireAndForget`, `promise`, `Effect(start:)`): let these only start the work, or use a `task` effect.
            """
        case .stage(.publication):
            """
            Publish less often, subscribe to a part of the state only, and let subscribers do slow things on other \
            threads. If each action is published, each change of an array or a dictionary copies it whole: keep many \
            elements in a persistent collection, such as `TreeDictionary` of swift-collections.
            """
        case .stage(.journal):
            """
            The pipeline waits because its journal is slower: let the pipeline hold IOs and effects instead of waiting \
            for each (`held: .held`), choose a weaker durability, or give the journal a larger `capacity` or a faster \
            disk.
            """
        case .unnamed where average < 1000:
            """
            Give these middlewares names with `named(_:)`: the report then has a stage for each. A part of a time this \
            short is the pipeline itself and the measurement.
            """
        case .unnamed:
            "Give these middlewares names with `named(_:)`: the report then has a stage for each."
        case .pipeline:
            """
            None of your code runs in this time: measure only a sample of the actions (`turnOn(oneIn: 16)`), and \
            dispatch one larger action instead of many small ones.
            """
        case .stage(.queue), .stage(.total): ""
        }
    }
}
