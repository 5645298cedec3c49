// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceTesting
import Testing

enum Move: Sendable { case up, down }

let counting = Reducer<Move, Int>.reduce { move, state in state += move == .up ? 1 : -1 }

@Suite("Simulated worlds")
struct SimulatedWorldTests {
    @Test("two threads: nothing is lost, and the same seed gives the same steps")
    func twoThreads() throws {
        func hash(_ seed: UInt64) throws -> UInt64 {
            let world = SimulatedWorld(seed: seed)
            let store = ReduxStoreBase(initialState: 0, reducer: counting, engine: .simulated(in: world))
            world.thread("a") { for _ in 0..<10 { store.dispatch(.up) } }
            world.thread("b") { for _ in 0..<4 { store.dispatch(.down) } }
            try world.run()
            #expect(store.state == 6)
            #expect(store.metrics.reduced == 14)
            return world.stepHash
        }
        var hashes: Set<UInt64> = []
        for seed in 0..<100 as Range<UInt64> {
            let first = try hash(seed)
            #expect(try hash(seed) == first)
            hashes.insert(first)
        }
        #expect(hashes.count > 60)
    }
}
