// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceEffects
import MillraceTesting
import TestSupport
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

    /// The steps of a world with a store, an effect, two threads and a task, as text: a hash for each seed.
    static func hashes() throws -> String {
        try (0..<20 as Range<UInt64>).map { seed in
            let world = SimulatedWorld(seed: seed, time: seed % 2 == 0 ? .whenIdle : .anytime)
            let store = ReduxStoreBase(
                initialState: SearchState(),
                reducer: searchReducer,
                middleware: Echo() <> searchEffects,
                engine: .simulated(in: world)
            )
            world.thread("a") { for text in ["m", "mi", "mil"] { store.dispatch(.typed(text)) } }
            world.thread("b") { for _ in 0..<4 { store.dispatch(urgent: .failed) } }
            world.task("c") {
                try await world.clock.sleep(for: .milliseconds(200))
                store.dispatch(.typed("mill"))
            }
            try world.run()
            return String(world.stepHash, radix: 16)
        }
        .joined(separator: " ")
    }

    @Test("the same seed gives the same steps in three processes")
    func threeProcesses() async throws {
        let expected = try Self.hashes()
        #expect(Set(expected.split(separator: " ")).count > 10)
        for _ in 0..<2 {
            let child = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
                FileHandle.standardError.write(Data("<\(try SimulatedWorldTests.hashes())>".utf8))
            }
            let output = String(decoding: child.standardErrorContent, as: UTF8.self)
            #expect(output.contains("<\(expected)>"), "\(output)")
        }
    }

    @Test("a read on demand waits in the world for the actions that its thread dispatched before")
    func readOnDemand() throws {
        for seed in 0..<20 as Range<UInt64> {
            let world = SimulatedWorld(seed: seed)
            let store = ReduxStoreBase(
                initialState: 0,
                reducer: counting,
                engine: .simulated(in: world),
                publication: .onDemand
            )
            let read = Recorder<Int>()
            world.thread("a") {
                for _ in 0..<5 {
                    store.dispatch(.up)
                    read.record(store.state)
                }
            }
            try world.run()
            #expect(read.all == [1, 2, 3, 4, 5], "seed \(seed)")
        }
    }

    @Test("what a subscriber dispatches at a timed publication is handled, if internal, too", arguments: [false, true])
    func timedPublication(isAnytime: Bool) throws {
        for seed in 0..<20 as Range<UInt64> {
            let world = SimulatedWorld(seed: seed, time: isAnytime ? .anytime : .whenIdle)
            let store = ReduxStoreBase(
                initialState: 0,
                reducer: counting,
                engine: .simulated(in: world),
                publication: .atMost(every: .seconds(1)),
                order: .internalFirst
            )
            store.subscribe { [weak store] count in if count == 3 { store?.dispatch(.down) } }
            world.thread("a") { for _ in 0..<3 { store.dispatch(.up) } }
            try world.run()
            #expect(store.metrics.pending == 0, "seed \(seed)")
            #expect(store.state == 2, "seed \(seed)")
        }
    }
}
