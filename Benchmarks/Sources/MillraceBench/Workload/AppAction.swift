// SPDX-License-Identifier: Apache-2.0

/// The actions of the workload, with a getter like those that a code generator writes.
enum AppAction: Sendable {
    case counter(CounterAction)
    case tick(Int)

    var counter: CounterAction? {
        if case .counter(let action) = self { action } else { nil }
    }

    /// Returns an action of the workload's sequence, in which the two kinds alternate.
    static func nth(_ index: Int) -> AppAction {
        index % 2 == 0 ? .counter(.increment) : .tick(index)
    }
}

/// The actions of one feature.
enum CounterAction: Sendable {
    case increment
    case decrement
}
