// SPDX-License-Identifier: Apache-2.0

/// The actions of the workload, with the getters that a code generator writes.
enum AppAction: Sendable {
    case counter(CounterAction)
    case tick(Int)

    var counter: CounterAction? {
        if case .counter(let action) = self { action } else { nil }
    }

    /// The workload's sequence: the two kinds by turns.
    static func nth(_ index: Int) -> AppAction {
        index % 2 == 0 ? .counter(.increment) : .tick(index)
    }
}

/// The actions of one feature.
enum CounterAction: Sendable {
    case increment
    case decrement
}
