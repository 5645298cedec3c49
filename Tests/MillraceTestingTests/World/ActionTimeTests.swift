// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceTesting
import Testing

@Suite("The time of actions in a world")
struct ActionTimeTests {
    private static let reducer = Reducer<Int, [Int64]>.reduceAt { _, time, state in
        state.append(time.nanosecondsSince1970)
    }

    @Test("a reducer gets the time of the world, the same in each run")
    func world() throws {
        func run() throws -> [Int64] {
            let world = SimulatedWorld(seed: 3)
            let store = ReduxStoreBase(initialState: [], reducer: Self.reducer, engine: .simulated(in: world))
            world.task("sender") {
                store.dispatch(1)
                try await world.clock.sleep(for: .milliseconds(20))
                store.dispatch(2)
            }
            try world.run()
            return store.state
        }
        #expect(try run() == [0, 20_000_000])
        #expect(try run() == [0, 20_000_000])
    }

    @Test("a test store moves it, or names it for one action")
    func testStore() {
        let store = TestStore(initialState: [], reducer: Self.reducer)
        store.advance(by: .seconds(2))
        store.send(1) { $0 = [2_000_000_000] }
        store.send(2, at: ActionTime(nanosecondsSince1970: 77)) { $0.append(77) }
        store.send(3) { $0.append(2_000_000_000) }
        store.finish()
    }
}
