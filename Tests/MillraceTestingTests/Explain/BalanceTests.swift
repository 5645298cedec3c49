// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceTesting
import Testing

@Suite("Balanced counters")
struct BalanceTests {
    @Test("of a store with urgent, internal, rejected and pending actions")
    func store() throws {
        let world = SimulatedWorld(seed: 4)
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting,
            engine: .simulated(in: world),
            capacity: .bounded(4, overflow: .dropNewest),
            order: .internalFirst
        )
        for _ in 0..<6 { store.dispatch(.up) }
        _ = store.dispatch(urgent: .down)
        try expectBalanced(store)
        #expect(throws: UnbalancedCounters.self) { try expectBalanced(store, isDrained: true) }
        try world.run()
        try expectBalanced(store, isDrained: true)
        store.close()
        store.dispatch(.up)
        try expectBalanced(store, isDrained: true)
    }

    @Test("the term that is off is named")
    func faults() throws {
        var metrics = StoreMetrics()
        metrics.offered = 10
        metrics.reduced = 8
        metrics.cancelled = 2
        try expectBalanced(metrics)
        metrics.dropped = 1
        var text = "\(try #require(#expect(throws: UnbalancedCounters.self) { try expectBalanced(metrics) }))"
        #expect(text.contains("reduced 8 + dropped 1 + rejected 0 + cancelled 2 + pending 0 = 11, 1 more than offered"))
        #expect(text.contains("without dropped they would balance"))
        metrics.dropped = 0
        metrics.cancelled = 0
        text = "\(try #require(#expect(throws: UnbalancedCounters.self) { try expectBalanced(metrics) }))"
        #expect(text.contains("2 fewer than offered"))
        metrics.cancelled = 2
        metrics.internalActions = 11
        text = "\(try #require(#expect(throws: UnbalancedCounters.self) { try expectBalanced(metrics) }))"
        #expect(text.contains("internalActions 11 are more than the 10 actions that were accepted"))
        metrics.internalActions = 0
        metrics.vanished = 9
        text = "\(try #require(#expect(throws: UnbalancedCounters.self) { try expectBalanced(metrics) }))"
        #expect(text.contains("vanished 9 is more than reduced 8"))
    }
}
