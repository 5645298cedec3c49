// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

private typealias Part = Reducer<ListAction, [Int]>
private typealias App = Reducer<AppAction, AppState>

/// A reducer that cannot be swapped with another unnoticed.
private func randomReducer(_ random: inout SplitMix64) -> Part {
    let number = Int.random(in: 0..<1000, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return .identity
    case 1: return .reduce { action, state in if case .append(let extra) = action { state.append(number + extra) } }
    case 2: return .reduce { _, state in state.reverse() }
    case 3: return .reduce { action, state in state = action == .clear ? [] : state.map { $0 &* 3 &+ number } }
    default: return randomReducer(&random) <> randomReducer(&random)
    }
}

private func randomAction(_ random: inout SplitMix64) -> ListAction {
    Bool.random(using: &random) ? .append(Int.random(in: 0..<9, using: &random)) : .clear
}

/// nil if both do the same with the same actions.
private func difference<Action, State: Equatable>(
    _ lhs: Reducer<Action, State>,
    _ rhs: Reducer<Action, State>,
    from start: State,
    actions: [Action]
) -> String? {
    var (left, right) = (start, start)
    for action in actions {
        lhs.reduce(action, &left)
        rhs.reduce(action, &right)
        if left != right { return "after \(action): \(left) is not \(right)" }
    }
    return nil
}

@Suite("Laws of Reducer")
struct ReducerLawTests {
    private let start = [1, 2, 3]

    @Test("associativity")
    func associativity() {
        let counterexample = firstCounterexample { random in
            let (a, b, c) = (randomReducer(&random), randomReducer(&random), randomReducer(&random))
            let actions = (0..<4).map { _ in randomAction(&random) }
            return difference((a <> b) <> c, a <> (b <> c), from: start, actions: actions)
        }
        #expect(counterexample == nil)
    }

    @Test("identity on both sides")
    func identity() {
        let counterexample = firstCounterexample { random in
            let a = randomReducer(&random)
            let actions = (0..<4).map { _ in randomAction(&random) }
            return difference(a <> .identity, a, from: start, actions: actions)
                ?? difference(.identity <> a, a, from: start, actions: actions)
        }
        #expect(counterexample == nil)
    }

    @Test("lifting preserves composition and identity, in each form")
    func lifting() {
        let forms: [@Sendable (Part) -> App] = [
            { $0.lift(action: \.list, state: \.list) },
            { $0.lift(action: { $0.list }, state: \.list) },
            { part in
                part.lift(
                    actionGetter: { (action: AppAction) in action.list },
                    stateGetter: { (state: AppState) in state.list },
                    stateSetter: { $0.list = $1 }
                )
            },
            { $0.lift(state: \AppState.list).lift(action: \AppAction.list) },
        ]
        let counterexample = firstCounterexample { random in
            let (a, b) = (randomReducer(&random), randomReducer(&random))
            let lift = forms[Int.random(in: 0..<forms.count, using: &random)]
            let actions = (0..<4).map { _ in
                Bool.random(using: &random) ? AppAction.list(randomAction(&random)) : .tick
            }
            let start = AppState(list: start)
            return difference(lift(a <> b), lift(a) <> lift(b), from: start, actions: actions)
                ?? difference(lift(.identity), .identity, from: start, actions: actions)
        }
        #expect(counterexample == nil)
    }
}
