// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceSubstates

/// Up to a thousand types of substates, each with a type of action, and stores of them.
struct Substates: Sendable {
    private(set) var routes = RoutingReducer()
    private(set) var substates: [any SubstateType] = []
    private(set) var actions: [AnyActionType] = []

    /// - Parameter count: The number of types, at most 1,000.
    init(_ count: Int) {
        let digits: [any Digit.Type] = [
            Digit0.self, Digit1.self, Digit2.self, Digit3.self, Digit4.self, Digit5.self, Digit6.self, Digit7.self,
            Digit8.self, Digit9.self,
        ]
        for number in 0..<count {
            let hundreds: any Digit.Type = digits[number / 100]
            let tens: any Digit.Type = digits[(number / 10) % 10]
            let ones: any Digit.Type = digits[number % 10]
            add(hundreds, tens, ones)
        }
    }

    private mutating func add<First: Digit, Second: Digit, Third: Digit>(
        _: First.Type,
        _: Second.Type,
        _: Third.Type
    ) {
        routes = routes.routing(Change<First, Second, Third>.self, to: Sum<First, Second, Third>.self) { action, sum in
            sum.amount &+= action.amount
            sum.changes &+= 1
        }
        substates.append(Sum<First, Second, Third>())
        actions.append(Change<First, Second, Third>(amount: 1))
    }

    /// Returns a store of the substates, and a batch of 256 actions for ten of them, spread evenly.
    func makeStore(_ publication: Publication) -> (store: SubstateStore, batch: [AnyActionType]) {
        let store = SubstateStore(
            parts: SubstateParts(reducer: routes),
            engine: .caller,
            publication: publication
        )
        store.dispatch(.add(states: substates))
        let stride = actions.count / 10
        return (store, (0..<256).map { actions[($0 % 10) * stride] })
    }
}

/// A type that tells substates apart.
private protocol Digit: Sendable {}

private enum Digit0: Digit {}
private enum Digit1: Digit {}
private enum Digit2: Digit {}
private enum Digit3: Digit {}
private enum Digit4: Digit {}
private enum Digit5: Digit {}
private enum Digit6: Digit {}
private enum Digit7: Digit {}
private enum Digit8: Digit {}
private enum Digit9: Digit {}

private struct Sum<First: Digit, Second: Digit, Third: Digit>: SubstateType {
    var amount = 0
    var changes = 0
}

private struct Change<First: Digit, Second: Digit, Third: Digit>: ActionType {
    var amount: Int
}
