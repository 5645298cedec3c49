// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceCore
import MillraceEffects
import MillraceGated
import MillraceTesting
import Testing

enum Search: Sendable, Equatable { case type(String), found(String), failed }

struct Results: Sendable, Equatable {
    var texts: [String] = []
    var failures = 0
}

let searching = Reducer<Search, Results>.reduce { action, results in
    switch action {
    case .type: break
    case .found(let text): results.texts.append(text)
    case .failed: results.failures += 1
    }
}

@Suite("The parts of a simulated world")
struct WorldParts {
    @Test("a debounced effect runs on the clock of the world, without a wait")
    func debounce() throws {
        let world = SimulatedWorld(seed: 1)
        let middleware = SimpleEffectMiddleware<Search, Results>.onAction { action, _, _ in
            guard case .type(let text) = action else { return .doNothing }
            return .task { _ in .found(text) }.debounce(for: .seconds(300), token: "search")
        }
        let store = ReduxStoreBase(
            initialState: Results(),
            reducer: searching,
            middleware: middleware,
            engine: .simulated(in: world)
        )
        for text in ["a", "ab", "abc"] { store.dispatch(.type(text)) }
        try world.advance(by: .seconds(299))
        #expect(store.state == Results())
        try world.advance(by: .seconds(2))
        #expect(store.state.texts == ["abc"])
        #expect(world.clock.now.offset == .seconds(301))
    }

    @Test("in a world, too, an element has the same token at each of its actions, and each element another one")
    func tokensOfElements() throws {
        typealias Action = ElementIDAction<Int, Int>
        let world = SimulatedWorld(seed: 1)
        let effects = EffectMiddleware<Int, Int, Int, Void>.onAction { action, _, _ in
            action > 9 ? .doNothing : .just(action * 10).debounce(for: .seconds(300), token: "t")
        }
        let store = ReduxStoreBase(
            initialState: [1: 0, 2: 0],
            reducer: Reducer<Int, Int>.reduce { action, number in number = action }
                .liftToDictionary(action: { (action: Action) in action }, stateDictionary: \[Int: Int].self),
            middleware: effects.liftToDictionary(
                inputAction: { (action: Action) in action },
                outputAction: { (action: Action) in action },
                state: { (numbers: [Int: Int]) in numbers }
            ),
            engine: .simulated(in: world)
        )
        for (id, action) in [(1, 1), (2, 2), (1, 3)] { store.dispatch(Action(id: id, action: action)) }
        try world.advance(by: .seconds(301))
        #expect(store.state == [1: 30, 2: 20])
        #expect(store.metrics.reduced == 5, "the effect of the first action was replaced")
    }

    @Test("a retry waits on the clock of the world, for a time that depends on the seed alone")
    func retry() throws {
        struct Refused: Error {}
        func end(_ seed: UInt64) throws -> Duration {
            let world = SimulatedWorld(seed: seed)
            let middleware = SimpleEffectMiddleware<Search, Results>.onAction { action, _, _ in
                guard case .type = action else { return .doNothing }
                return .task(retry: .exponential(retries: 3, initial: .seconds(1))) { _ in
                    throw Refused()
                } catchErrors: { _ in
                    .failed
                }
            }
            let store = ReduxStoreBase(
                initialState: Results(),
                reducer: searching,
                middleware: middleware,
                engine: .simulated(in: world)
            )
            store.dispatch(.type("a"))
            try world.run()
            #expect(store.state.failures == 1)
            return world.clock.now.offset
        }
        #expect(try end(1) == end(1))
        #expect(try end(1) != end(2))
    }

    @Test("threads that wait for room in a bounded store are all served")
    func bounded() throws {
        try SimulatedWorld.explore(seeds: 0..<200) { world in
            let store = ReduxStoreBase(
                initialState: 0,
                reducer: counting,
                engine: .simulated(in: world),
                capacity: .bounded(2)
            )
            for name in ["a", "b", "c"] {
                world.thread(name) { for _ in 0..<6 { store.dispatch(.up) } }
            }
            try world.run()
            guard store.state == 18, store.metrics.rejected == 0 else { throw Wrong(what: "\(store.metrics)") }
        }
    }

    @Test("the shards of a store run in the world, and a shutdown ends them")
    func sharded() throws {
        try SimulatedWorld.explore(seeds: 0..<100) { world in
            let store = ShardedStore<Int, Int, Int>(
                shards: 3,
                by: { $0 },
                initialState: { _ in 0 },
                reducer: .reduce { _, count in count += 1 },
                middleware: { _ in IdentityMiddleware<Int, Int, Int>() },
                engine: { _ in .simulated(in: world) }
            )
            for name in ["a", "b"] { world.thread(name) { for key in 0..<9 { store.dispatch(key) } } }
            try world.run()
            let counts = Locked([ShutdownReport]())
            world.task("end") {
                let reports = await store.shutdown(deadline: .seconds(5))
                counts.withLock { $0 = reports }
            }
            try world.run()
            let reports = counts.withLock { $0 }
            guard reports.count == 3, reports.allSatisfy(\.isComplete), store.metrics.reduced == 18 else {
                throw Wrong(what: "\(reports)")
            }
        }
    }

    @Test("a shutdown by deadline drops what a stuck effect holds up, at the time of the world")
    func deadline() throws {
        let world = SimulatedWorld(seed: 3)
        let store = ReduxStoreBase(initialState: 0, reducer: counting, engine: .simulated(in: world))
        let report = Locked<ShutdownReport?>(nil)
        world.task("end") {
            let made = await store.shutdown(deadline: .seconds(5))
            report.withLock { $0 = made }
        }
        try world.run()
        let made = try #require(report.withLock { $0 })
        #expect(made.isComplete)
        #expect(made.elapsed < .seconds(5))
    }
}

struct Wrong: Error, CustomStringConvertible {
    let what: String
    var description: String { what }
}
