// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MillraceCore
import MillraceRecords
import TestSupport
import Testing

@testable import Millrace
@testable import MillraceJournal

@Suite("Urgent actions of a store with a journal", .timeLimit(.minutes(5)))
struct BesideTests {
    @Test("an urgent action comes before a later message, while a full store drops its oldest actions")
    func dropsOldest() async throws {
        let gate = DispatchSemaphore(value: 0)
        let isInside = Shared(false)
        let reduced = Recorder<Deed>()
        let journal: Journal<Deed> = try SlowDisk().journal()
        let store = try await ReduxStoreBase<Deed, Sums>(
            recovering: journal,
            initialState: Sums(),
            reducer: Reducer.reduce { deed, sums in
                isInside.value = true
                if case .tell = deed { gate.wait() }
                reduced.record(deed)
                summing.reduce(deed, &sums)
            },
            capacity: .bounded(4, overflow: .dropOldest)
        )
        store.dispatch(.tell(0))
        #expect(await eventually { isInside.value })
        #expect(store.dispatch(urgent: .add(1)) == .accepted)
        let before = Shared<[Deed]?>(nil)
        // As drain() does.
        _ = store.core.send { before.value = reduced.all }
        for number in 2...10 { store.dispatch(.add(number)) }
        gate.signal()
        await store.drain()
        #expect(before.value == [.tell(0), .add(1)])
        #expect(store.state.deeds.first == 1 && store.metrics.dropped > 0)
        _ = await store.shutdown()
        #expect(journal.metrics.recorded == store.metrics.reduced)
    }
}
