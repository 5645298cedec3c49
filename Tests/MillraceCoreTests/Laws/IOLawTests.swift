// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

private func randomIO(_ random: inout SplitMix64) -> IO<Int> {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return .pure()
    case 1: return randomIO(&random) <> randomIO(&random)
    default:
        let actions = (0..<Int.random(in: 0..<4, using: &random)).map { _ in Int.random(in: 0..<9, using: &random) }
        return IO { output in
            for action in actions { output.dispatch(action, from: action.isMultiple(of: 2) ? .a : .b) }
        }
    }
}

/// nil if both dispatch the same, in the same order.
private func difference<Action: Equatable & Sendable>(_ lhs: IO<Action>, _ rhs: IO<Action>) -> String? {
    let cause = ActionCause(parent: 2, root: 1)
    let (left, right) = (SinkSpy<Action>(), SinkSpy<Action>())
    lhs.run(AnyActionHandler(sink: left, cause: cause))
    rhs.run(AnyActionHandler(sink: right, cause: cause))
    let (first, second) = (left.log.all, right.log.all)
    if first.map(\.action) != second.map(\.action) { return "\(first.map(\.action)) is not \(second.map(\.action))" }
    if first.map(\.source) != second.map(\.source) { return "the sources differ" }
    if (first + second).contains(where: { $0.cause != cause }) { return "a cause was lost" }
    return nil
}

@Suite("Laws of IO")
struct IOLawTests {
    @Test("associativity")
    func associativity() {
        let counterexample = firstCounterexample { random in
            let (a, b, c) = (randomIO(&random), randomIO(&random), randomIO(&random))
            return difference((a <> b) <> c, a <> (b <> c))
        }
        #expect(counterexample == nil)
    }

    @Test("identity on both sides")
    func identity() {
        let counterexample = firstCounterexample { random in
            let a = randomIO(&random)
            return difference(a <> .identity, a) ?? difference(.identity <> a, a)
        }
        #expect(counterexample == nil)
    }

    @Test("map preserves composition, identity and composition of functions")
    func map() {
        let counterexample = firstCounterexample { random in
            let (a, b) = (randomIO(&random), randomIO(&random))
            return difference((a <> b).map { "\($0)" }, a.map { "\($0)" } <> b.map { "\($0)" })
                ?? difference(IO<Int>.pure().map { "\($0)" }, .pure())
                ?? difference(a.map { $0 }, a)
                ?? difference(a.map { $0 + 1 }.map { $0 * 2 }, a.map { ($0 + 1) * 2 })
        }
        #expect(counterexample == nil)
    }

    @Test("flatMap is associative, and has dispatching as its unit")
    func flatMap() {
        let unit: @Sendable (DispatchedAction<Int>) -> IO<Int> = { action in IO { $0.dispatch(action) } }
        let twice: @Sendable (DispatchedAction<Int>) -> IO<Int> = { unit($0) <> unit($0.map { $0 + 1 }) }
        let odd: @Sendable (DispatchedAction<Int>) -> IO<Int> = { $0.action.isMultiple(of: 2) ? .pure() : unit($0) }
        let counterexample = firstCounterexample { random in
            let (a, b) = (randomIO(&random), randomIO(&random))
            return difference(a.flatMap(unit), a)
                ?? difference(a.flatMap(twice).flatMap(odd), a.flatMap { twice($0).flatMap(odd) })
                ?? difference((a <> b).flatMap(twice), a.flatMap(twice) <> b.flatMap(twice))
        }
        #expect(counterexample == nil)
    }
}
