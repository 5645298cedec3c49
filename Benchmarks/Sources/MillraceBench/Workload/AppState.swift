// SPDX-License-Identifier: Apache-2.0

import Millrace

/// The state of the workload.
struct AppState: Sendable {
    var count = 0
    var ticks = 0
    /// Always false. A gate by state reads it.
    var isAuditing = false
    var names = ["anvil", "bellows", "crucible"]

    /// The reducer of one feature.
    static var counting: Reducer<CounterAction, Int> {
        .reduce { action, count in
            switch action {
            case .increment: count += 1
            case .decrement: count -= 1
            }
        }
    }

    /// The lifted reducer of one feature, and a reducer of the whole state.
    static let reducer: Reducer<AppAction, AppState> =
        counting.lift(action: \AppAction.counter, state: \AppState.count)
        <> Reducer<AppAction, AppState>.reduce { action, state in
            if case .tick(let amount) = action { state.ticks &+= amount }
        }

    /// Changes the state as ``reducer`` does, by one switch that the compiler inlines.
    @inline(__always)
    mutating func apply(_ action: AppAction) {
        switch action {
        case .counter(.increment): count += 1
        case .counter(.decrement): count -= 1
        case .tick(let amount): ticks &+= amount
        }
    }
}

/// The changes that a number of actions must make, for any contender.
struct StateChange: Equatable, CustomStringConvertible {
    var count = 0
    var ticks = 0

    var description: String { "count \(count), ticks \(ticks)" }

    /// Creates the difference between two states.
    init(from before: AppState, to after: AppState) {
        count = after.count - before.count
        ticks = after.ticks &- before.ticks
    }

    /// Creates the changes of the first `actions` of the sequence, dispatched by each of `producers`.
    init(actions: Int, producers: Int = 1) {
        let odd = actions / 2
        count = (actions - odd) * producers
        ticks = odd * odd * producers  // 1 + 3 + 5 + ...
    }

    /// Throws an error if `contender` changed the state in another way.
    func check(_ expected: StateChange, of contender: String) throws(BenchmarkError) {
        guard self == expected else {
            throw .wrongResult(contender: contender, expected: expected.description, found: description)
        }
    }
}
