// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceTesting
import Testing

@Suite("Explorations")
struct ExplorationTests {
    private struct Lost: Error {}

    @Test("a race of two threads is found, and shown in few steps")
    func race() throws {
        let failure = #expect(throws: ScheduleFailure.self) {
            try SimulatedWorld.explore(seeds: 0..<1000) { world in
                let store = ReduxStoreBase(initialState: 0, reducer: counting, engine: .simulated(in: world))
                for name in ["a", "b"] {
                    world.thread(name) {
                        for _ in 0..<5 {
                            // Not atomic: reads, and decides later.
                            let seen = store.state
                            world.pause()
                            if seen < 3 { store.dispatch(.up) }
                        }
                    }
                }
                try world.run()
                if store.state > 3 { throw Lost() }
            }
        }
        let found = try #require(failure)
        #expect(found.steps.count < found.originalSteps)
        #expect(found.command == "MILLRACE_SEED=\(found.seed) swift test --filter race")
        print(found)
    }

    private struct Defect: Error, CustomStringConvertible {
        let description: String
    }

    @Test("the steps that are shown are those of the defect that is named")
    func twoDefects() throws {
        var reasons: Set<String> = []
        for seed in 0..<20 as Range<UInt64> {
            let failure = #expect(throws: ScheduleFailure.self) {
                try SimulatedWorld.explore(seeds: seed..<seed + 1) { world in
                    let order = Order()
                    for name in ["first", "second"] { world.thread(name) { order.names.append(name) } }
                    try world.run()
                    throw Defect(description: "'\(order.names[0])' came first")
                }
            }
            let found = try #require(failure)
            reasons.insert("\(found.reason)")
            let first = found.steps[0].contains("first") ? "first" : "second"
            #expect("\(found.reason)" == "'\(first)' came first")
        }
        #expect(reasons.count == 2)
    }

    /// Belongs to the one world that runs.
    private final class Order: @unchecked Sendable {
        var names: [String] = []
    }

    @Test("a failure that does not come again is said to depend on something else")
    func unrepeatable() throws {
        var runs = 0
        let failure = #expect(throws: ScheduleFailure.self) {
            try SimulatedWorld.explore(seeds: 0..<100) { world in
                runs += 1
                world.thread("a") { world.pause() }
                try world.run()
                if runs == 7 { throw Lost() }
            }
        }
        let found = try #require(failure)
        #expect(!found.isRepeatable)
        #expect(found.steps.isEmpty)
        #expect("\(found)".contains("depends on something besides its world"))
    }

    @Test("an exploration without seeds fails")
    func noSeeds() {
        let failure = #expect(throws: ScheduleFailure.self) { try SimulatedWorld.explore(seeds: 5..<5) { _ in } }
        #expect(failure.map { "\($0)" } == "there is no seed to run: the range 5..<5 is empty")
    }
}
