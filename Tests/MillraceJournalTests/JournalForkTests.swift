// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceCore
import MillraceJournal
import TestSupport
import Testing

@Suite("Journals in a child of fork", .timeLimit(.minutes(5)), .disabled(if: isSanitized))
struct JournalForkTests {
    @Test("a store whose journal has its thread in the parent stops the child, also with the engine .caller")
    func callerStops() async throws {
        let store = try await ReduxStoreBase<Deed, Sums>(
            recovering: SlowDisk().journal(),
            initialState: Sums(),
            reducer: summing,
            middleware: IdentityMiddleware<Deed, Deed, Sums>(),
            engine: .caller,
            held: .exact
        )
        store.dispatch(.add(1))
        try await store.journaled()
        let child = ForkedChild { store.dispatch(.add(2)) }
        #expect(child.wasStopped, "\(child)")
        store.dispatch(.add(3))
        #expect(store.state.deeds == [1, 3])
        _ = await store.shutdown()
    }
}
