// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

private typealias Part = Reducer<ItemAction, Item>
private typealias Shop = Reducer<ShopAction, ShopState>

@Suite("Laws of lifts to elements")
struct ElementLiftLawTests {
    private let lifts: [@Sendable (Part) -> Shop] = [
        { $0.liftToCollection(action: \.item, stateCollection: \.items) },
        { $0.liftToCollection(action: \.item, stateCollection: \.keyed) },
        { $0.liftToCollection(action: \.item, stateCollection: \.items, identifier: \.id) },
        { $0.liftToCollection(action: \.row, stateCollection: \.items) },
        { $0.liftToDictionary(action: \.item, stateDictionary: \.table) },
        { $0.liftToEach(action: \.all, stateCollection: \.items) },
        { $0.liftToEach(action: \.all, stateDictionary: \.table) },
        { $0.liftToOptional(action: \.all, state: \.chosen) },
        { $0.liftToCase(action: \.all, extract: \.chosen, embed: { ShopState(chosen: $0) }) },
    ]

    /// Does not change ids: with those the second reducer of a composition would look for another element.
    private func randomReducer(_ random: inout SplitMix64) -> Part {
        let text = "\(Int.random(in: 0..<100, using: &random))"
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return .identity
        case 1: return .reduce { _, item in item.text.append(text) }
        case 2: return .reduce { _, item in item.name = String(item.text.text.reversed()) + text }
        default: return itemReducer
        }
    }

    private func randomAction(_ random: inout SplitMix64) -> ShopAction {
        let number = Int.random(in: 0..<4, using: &random)
        return [.add(number, "a"), .row(ElementIndexAction(index: number, action: .add("b"))), .all(.add("c")), .tick]
            .randomElement(using: &random) ?? .tick
    }

    @Test("lifting preserves composition and identity, in each form")
    func composition() {
        let counterexample = firstCounterexample { random in
            let (a, b) = (randomReducer(&random), randomReducer(&random))
            let lift = lifts[Int.random(in: lifts.indices, using: &random)]
            var states = Array(repeating: ShopState(chosen: Item(id: 9)), count: 4)
            if Bool.random(using: &random) { states = Array(repeating: ShopState(), count: 4) }
            for _ in 0..<4 {
                let action = randomAction(&random)
                lift(a <> b).reduce(action, &states[0])
                (lift(a) <> lift(b)).reduce(action, &states[1])
                lift(.identity).reduce(action, &states[2])
            }
            if states[0] != states[1] { return "composed inside: \(states[0]), outside: \(states[1])" }
            return states[2] == states[3] && lift(.identity).isIdentity ? nil : "identity did \(states[2])"
        }
        #expect(counterexample == nil)
    }
}
