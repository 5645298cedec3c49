// SPDX-License-Identifier: Apache-2.0

import Glibc
import Millrace
import TestSupport
import Testing

/// Random trees of lifted and composed reducers and middlewares do what the flat interpreter does: the same calls in
/// the same order, the same states, the same actions caused.
@Suite("Trees of lifts and compositions", .timeLimit(.minutes(3)))
struct TreeTests {
    @Test("behave as the flat reference", arguments: [StoreEngine.caller, .thread()])
    func behaveAsReference(engine: StoreEngine) {
        let counterexample = firstCounterexample(cases: 1_000) { random in
            let isThread = engine != .caller
            var (reducerLeaves, middlewareLeaves) = (8, 5)
            let reducers = Tree.random(levels: 2, leaves: &reducerLeaves, using: &random)
            let middlewares = Tree.random(levels: 2, leaves: &middlewareLeaves, using: &random)
            let actions = (0..<3).map { _ in action(using: &random) }

            var reference = Reference(reducers: reducers, middlewares: middlewares)
            let log = Recorder<String>()
            // Made here, kept by nobody else.
            nonisolated(unsafe) let middleware = middlewares.worldMiddleware(log)
            let store = ReduxStoreBase(
                initialState: World(),
                reducer: reducers.worldReducer(),
                middleware: middleware,
                engine: engine,
                publication: .onDemand
            )
            if isThread {
                // In one go, so that what they cause comes after all of them.
                reference.run(actions)
                store.dispatch(contentsOf: actions)
                // An action counts as reduced before its IO runs, so the calls of the last IO may still be missing.
                let end = ContinuousClock.now + .seconds(60)
                while store.metrics.pending > 0 || log.count < reference.log.count, ContinuousClock.now < end {
                    usleep(20)
                }
            } else {
                // Each is finished, with what it causes, before the next.
                for action in actions {
                    reference.run([action])
                    store.dispatch(action)
                }
            }
            guard log.all == reference.log else {
                return "\(middlewares): calls \(log.all), expected \(reference.log)"
            }
            let numbers = store.state.numbers
            return numbers == reference.numbers
                ? nil : "\(reducers): state \(numbers), expected \(reference.numbers)"
        }
        #expect(counterexample == nil)
    }

    private func action(using random: inout SplitMix64) -> WorldAction {
        let number = NumberAction(strength: Int.random(in: 0...2, using: &random))
        let half = { (random: inout SplitMix64) in Half.allCases.randomElement(using: &random) ?? .first }
        let part: PartAction = Bool.random(using: &random) ? .both(number) : .number(half(&random), number)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return .everywhere(part)
        case 1: return .part(half(&random), part)
        // Sometimes one that is not there.
        default: return .piece(ElementIDAction(id: [7, 5, 5, 1].randomElement(using: &random) ?? 1, action: part))
        }
    }
}
