// SPDX-License-Identifier: Apache-2.0

/// Makes actions at random, for property tests.
///
/// ```swift
/// let actions = ActionGenerator<BankAction>(
///     .case(weight: 3) { random in .deposit(.random(in: 1...500, using: &random)) },
///     .case(weight: 3) { random in .withdraw(.random(in: 1...500, using: &random)) },
///     .case { _ in .close }
/// ) { action in
///     switch action {                                     // what is simpler, for shorter reports
///     case .deposit(let cents): cents.simpler.map(BankAction.deposit)
///     case .withdraw(let cents): cents.simpler.map(BankAction.withdraw)
///     case .close: []
///     }
/// }
/// ```
///
/// For an action type that is `CaseIterable`, use `ActionGenerator<Move>.allCases`, which makes each case with the same
/// probability.
public struct ActionGenerator<Action: Sendable>: Sendable {
    /// A kind of action that the generator makes, with its weight.
    public struct Case: Sendable {
        let weight: Int
        let make: @Sendable (inout SeededRandom) -> Action

        /// Returns a case that is made by a closure.
        ///
        /// - Parameters:
        ///   - weight: How often the case is made, in relation to the other weights. 0 or less: never.
        ///   - make: The closure. It must use no other random numbers than its argument, so that a seed gives the same
        ///     actions again.
        public static func `case`(
            weight: Int = 1,
            _ make: @escaping @Sendable (inout SeededRandom) -> Action
        ) -> Case {
            Case(weight: max(0, weight), make: make)
        }
    }

    private let cases: [Case]
    private let sum: Int
    let simpler: @Sendable (Action) -> [Action]

    /// Creates a generator from cases.
    ///
    /// - Parameters:
    ///   - cases: The cases. With none, or if no weight is positive, the generator makes no actions.
    ///   - simpler: Returns simpler actions that are tried in place of an action when a failing list is made simpler,
    ///     the simplest first. Default: none.
    public init(
        _ cases: Case...,
        simpler: @escaping @Sendable (Action) -> [Action] = { _ in [] }
    ) {
        self.init(cases: cases, simpler: simpler)
    }

    init(cases: [Case], simpler: @escaping @Sendable (Action) -> [Action]) {
        self.cases = cases.filter { $0.weight > 0 }
        sum = self.cases.reduce(0) { $0 + $1.weight }
        self.simpler = simpler
    }

    /// Returns an action; nil if there are no cases.
    public func next(using random: inout SeededRandom) -> Action? {
        guard sum > 0 else { return nil }
        var place = Int.random(in: 0..<sum, using: &random)
        for one in cases {
            place -= one.weight
            if place < 0 { return one.make(&random) }
        }
        return nil
    }

    /// Returns the actions of a seed, always the same.
    ///
    /// - Parameters:
    ///   - seed: The seed.
    ///   - length: The most actions. Some seeds give a shorter list; 0 or less gives an empty one.
    public func actions(seed: UInt64, length: Int) -> [Action] {
        var random = SeededRandom(seed: seed)
        guard length > 0 else { return [] }
        // Short lists find what goes wrong at the beginning, and are cheaper.
        let count = Int.random(in: 1...4, using: &random) == 1 ? Int.random(in: 1...length, using: &random) : length
        return (0..<count).compactMap { _ in next(using: &random) }
    }
}

extension ActionGenerator where Action: CaseIterable {
    /// Makes each case with the same probability.
    public static var allCases: ActionGenerator {
        let all = Array(Action.allCases)
        return ActionGenerator(cases: all.map { action in .case { _ in action } }, simpler: { _ in [] })
    }
}

extension ActionGenerator where Action: CaseIterable & Equatable {
    /// Makes each case with the same probability. The cases that come first are the simpler ones.
    public static var allCases: ActionGenerator {
        let all = Array(Action.allCases)
        return ActionGenerator(cases: all.map { action in .case { _ in action } }) { action in
            Array(all.prefix { $0 != action })
        }
    }
}
