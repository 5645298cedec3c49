// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects
import MillraceTesting
import Testing

enum BankAction: Sendable, Equatable {
    case deposit(Int), withdraw(Int), close
}

struct Bank: Sendable, Equatable {
    var balance = 0
    var isClosed = false
}

enum Switch: Sendable, CaseIterable { case on, off, flip }

@Suite("Property tests")
struct PropertyTests {
    static let actions = ActionGenerator<BankAction>(
        .case(weight: 3) { random in .deposit(.random(in: 1...500, using: &random)) },
        .case(weight: 3) { random in .withdraw(.random(in: 1...500, using: &random)) },
        .case { _ in .close }
    ) { action in
        switch action {
        case .deposit(let cents): cents.simpler.map(BankAction.deposit)
        case .withdraw(let cents): cents.simpler.map(BankAction.withdraw)
        case .close: []
        }
    }

    /// Forgets to look at the balance when there is more than 300.
    static func bank(_ limit: Int) -> Reducer<BankAction, Bank> {
        .reduce { action, bank in
            switch action {
            case .deposit(let cents): bank.balance += cents
            case .withdraw(let cents): if cents <= bank.balance || cents > limit { bank.balance -= cents }
            case .close: bank.isClosed = true
            }
        }
    }

    @Test("rules that hold, for states and for changes")
    func holds() throws {
        let report = try checkProperty(
            .always("the balance is never negative") { $0.balance >= 0 },
            .change("a closed account stays closed") { before, _, after in !before.isClosed || after.isClosed },
            actions: Self.actions,
            initialState: Bank(),
            reducer: Self.bank(.max)
        )
        #expect(report.lists == 1_000)
        #expect(report.actions > 20_000)
    }

    @Test("a broken rule: the shortest list with the simplest numbers")
    func shrinks() throws {
        let failure = #expect(throws: PropertyFailure<BankAction>.self) {
            try checkProperty(
                .always("the balance is never negative") { $0.balance >= 0 },
                actions: Self.actions,
                initialState: Bank(),
                reducer: Self.bank(300)
            )
        }
        let found = try #require(failure)
        #expect(found.actions == [.withdraw(301)])
        #expect(found.originalCount > 1)
        #expect(found.command == "MILLRACE_SEED=\(found.seed) swift test --filter shrinks")
        #expect("\(found)".contains("withdraw(301) changed the state from Bank(balance: 0"))
        // The same seed gives the same list.
        #expect(
            Self.actions.actions(seed: found.seed, length: 50) == Self.actions.actions(seed: found.seed, length: 50)
        )
    }

    @Test("a rule about changes, and one that the first state breaks")
    func changes() throws {
        let failure = #expect(throws: PropertyFailure<Switch>.self) {
            try checkProperty(
                .change("flip changes it") { before, action, after in action != .flip || before != after },
                actions: ActionGenerator<Switch>.allCases,
                initialState: false,
                reducer: .reduce { action, isOn in if action == .on { isOn = true } else { isOn = false } }
            )
        }
        #expect(failure.map(\.actions) == [.flip])
        let atFirst = #expect(throws: PropertyFailure<Switch>.self) {
            try checkProperty(
                .always("it is on") { $0 },
                actions: ActionGenerator<Switch>.allCases,
                initialState: false,
                reducer: Reducer<Switch, Bool>.reduce { _, _ in }
            )
        }
        #expect(atFirst.map(\.actions.isEmpty) == true)
    }

    /// Looks up the balance, and withdraws later.
    private struct Teller: MiddlewareProtocol {
        let world: SimulatedWorld

        func handle(action: BankAction, from: ActionSource, state: @escaping GetState<Bank>) -> IO<BankAction> {
            guard case .close = action else { return .pure() }
            return IO { [world] output in
                let balance = state().balance
                world.task("teller") {
                    try await world.clock.sleep(for: .milliseconds(1))
                    if balance > 0 { output.dispatch(.withdraw(balance)) }
                }
            }
        }
    }

    @Test("on a store: a race of two withdrawals, in the shortest list and with its schedule")
    func store() throws {
        let reducer = Reducer<BankAction, Bank>.reduce { action, bank in
            switch action {
            case .deposit(let cents): bank.balance += cents
            case .withdraw(let cents): bank.balance -= cents
            case .close: break
            }
        }
        let actions = ActionGenerator<BankAction>(
            .case(weight: 3) { random in .deposit(.random(in: 1...500, using: &random)) },
            .case { _ in .close }
        ) { action in
            if case .deposit(let cents) = action { cents.simpler.map(BankAction.deposit) } else { [] }
        }
        let failure = #expect(throws: PropertyFailure<BankAction>.self) {
            try checkProperty(
                .always("the balance is never negative") { $0.balance >= 0 },
                length: 12,
                actions: actions,
                initialState: Bank(),
                reducer: reducer
            ) { Teller(world: $0) }
        }
        let found = try #require(failure)
        #expect(found.actions.count == 3)
        #expect(found.actions.contains(.deposit(1)))
        #expect(found.steps.contains { $0.contains("handles 'withdraw'") })
        // Effects of which only one runs at a time break no rule.
        let report = try checkProperty(
            .always("the balance is never negative") { $0.balance >= 0 },
            seeds: 0..<60,
            length: 12,
            actions: actions,
            initialState: Bank(),
            reducer: reducer
        ) { _ in
            SimpleEffectMiddleware<BankAction, Bank>.onAction { action, _, state in
                guard action == .close, state().balance > 0 else { return .doNothing }
                return .just(.withdraw(0))
            }
        }
        #expect(report.lists == 60)
    }

    @Test("weights, and generators without cases")
    func weights() {
        let never = ActionGenerator<Switch>(.case(weight: 0) { _ in .on }, .case(weight: -1) { _ in .off })
        #expect(never.actions(seed: 1, length: 10).isEmpty)
        let mostly = ActionGenerator<Switch>(.case(weight: 9) { _ in .on }, .case { _ in .off })
        var random = SeededRandom(seed: 3)
        let count = (0..<1_000).count { _ in mostly.next(using: &random) == .on }
        #expect((850..<950).contains(count))
        #expect((-8).simpler == [0, -4, -7])
        #expect(1.simpler == [0])
        #expect(Int8.min.simpler == [0, -64, -127])
    }

    @Test("a property test without lists, or without actions, fails")
    func nothing() {
        let none = #expect(throws: PropertyFailure<BankAction>.self) {
            try checkProperty(
                .always("never") { (_: Bank) in false },
                seeds: 3..<3,
                actions: Self.actions,
                initialState: Bank(),
                reducer: Self.bank(300)
            )
        }
        #expect(none?.detail == "there is no seed to run: the range 3..<3 is empty")
        #expect(none.map { "\($0)" }?.hasPrefix("The rules cannot be checked: ") == true)
        let empty = #expect(throws: PropertyFailure<BankAction>.self) {
            try checkProperty(
                .change("never") { (_: Bank, _, _) in false },
                actions: ActionGenerator<BankAction>(),
                initialState: Bank(),
                reducer: Self.bank(300)
            )
        }
        #expect(empty.map { "\($0)" }?.contains("the generator makes no actions") == true)
    }

    @Test("of all cases, the first one that fails is shown")
    func simplestCase() throws {
        let failure = #expect(throws: PropertyFailure<Switch>.self) {
            try checkProperty(
                .change("nothing is ever flipped or switched off") { (_: Int, action, _) in action == .on },
                actions: ActionGenerator<Switch>.allCases,
                initialState: 0,
                reducer: Reducer<Switch, Int>.identity
            )
        }
        #expect(try #require(failure).actions == [.off])
    }
}
