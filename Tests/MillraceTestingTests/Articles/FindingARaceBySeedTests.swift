// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceTesting
import Testing

// The code of the article FindingARaceBySeed.

struct Overdrawn: Error {}

@Suite("The article on finding a race by seed")
struct FindingARaceBySeedTests {
    @Test("the race of two withdrawals is found, in few steps")
    func overdrawn() throws {
        let failure = #expect(throws: ScheduleFailure.self) { try withdrawals() }
        let found = try #require(failure)
        #expect(found.reason == .thrown("Overdrawn()"))
        #expect(found.command.hasPrefix("MILLRACE_SEED=\(found.seed) "))
        // The article shows these steps.
        let steps = [
            "thread 'teller' pauses", "thread 'teller' dispatches to store 1", "thread 'teller' ends",
            "thread 'machine' pauses", "thread 'machine' dispatches to store 1", "thread 'machine' ends",
            "store 1 handles 'Int'", "store 1 handles 'Int'", "store 1 takes a message, or finds nothing",
            "time passes: store 1 publishes at 0.001 s",
        ]
        #expect(found.steps == steps)
    }

    private func withdrawals() throws {
        try SimulatedWorld.explore(seeds: 0..<1_000) { world in
            let store = ReduxStoreBase(
                initialState: 100,
                reducer: Reducer<Int, Int>.reduce { amount, balance in balance -= amount },
                engine: .simulated(in: world)
            )
            for name in ["teller", "machine"] {
                world.thread(name) {
                    let balance = store.state
                    world.pause()
                    if balance >= 80 { store.dispatch(80) }
                }
            }
            try world.run()
            guard store.state >= 0 else { throw Overdrawn() }
        }
    }
}
