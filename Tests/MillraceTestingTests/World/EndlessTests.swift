// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects
import MillraceTesting
import Testing

@Suite("Chains without an end, in a simulated world")
struct EndlessTests {
    @Test(
        "a store whose actions never end is stopped by the limit, and can be released",
        arguments: ActionOrder.allCases
    )
    func chain(order: ActionOrder) throws {
        weak var released: ReduxStoreBase<Move, Int>?
        do {
            let world = SimulatedWorld(seed: 5)
            let store = ReduxStoreBase(
                initialState: 0,
                reducer: counting,
                middleware: SimpleEffectMiddleware<Move, Int>.onAction { _, _, _ in .just(.up) },
                engine: .simulated(in: world),
                order: order
            )
            released = store
            store.dispatch(.up)
            #expect(throws: SimulationFailure.self) { try world.run(steps: 1_000) }
            #expect(store.metrics.reduced >= 900)
        }
        #expect(released == nil)
    }
}
