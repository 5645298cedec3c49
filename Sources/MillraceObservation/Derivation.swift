// SPDX-License-Identifier: Apache-2.0

/// A value that follows the state of an ``ObservableStore``.
@MainActor
protocol Follower<State>: AnyObject {
    associatedtype State

    /// The signal that observers of the value depend on.
    var signal: ObservationSignal { get }
    /// Prepares for the next state. Returns whether that state changes the value; if so, ``commit()`` is called next.
    func prepare(for state: State) -> Bool
    /// Applies the state that ``prepare(for:)`` was called with.
    func commit()
}

/// A value computed from a part of the state when it is read, and again only after that part has changed.
final class Derivation<State, Input, Value>: Follower {
    let signal = ObservationSignal()
    private let select: (State) -> Input
    private let isDuplicate: (Input, Input) -> Bool
    private let compute: (Input) -> Value
    private var input: Input
    private var upcoming: Input?
    private var computed: Value?

    init(
        from state: State,
        select: @escaping (State) -> Input,
        isDuplicate: @escaping (Input, Input) -> Bool,
        compute: @escaping (Input) -> Value
    ) {
        self.select = select
        self.isDuplicate = isDuplicate
        self.compute = compute
        input = select(state)
    }

    var value: Value {
        signal.access()
        if let computed { return computed }
        let value = compute(input)
        computed = value
        return value
    }

    func prepare(for state: State) -> Bool {
        let selected = select(state)
        guard !isDuplicate(input, selected) else { return false }
        upcoming = selected
        return true
    }

    func commit() {
        guard let upcoming else { return }
        input = upcoming
        self.upcoming = nil
        computed = nil
    }
}
