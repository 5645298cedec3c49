// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceJournal
import Testing

@Suite("Journals and stores that do not belong together", .timeLimit(.minutes(5)))
struct MisuseTests {
    typealias Store = ReduxStoreBase<Deed, Sums>

    @Test("a commit to a store without a journal is an error, and its action is not handled")
    func noJournal() async {
        let store = Store(initialState: Sums(), reducer: summing)
        await #expect(throws: CommitError.noJournal) {
            try await store.commit(.add(1), producer: "a", number: 1)
        }
        await #expect(throws: CommitError.noJournal) { try await store.journaled() }
        await store.drain()
        #expect(store.state == Sums())
    }

    @Test("a journal serves one store; the second gets an error, and the first goes on")
    func inUse() async throws {
        let journal = try SlowDisk().journal()
        let store = try await Store(recovering: journal, initialState: Sums(), reducer: summing)
        await #expect {
            _ = try await Store(recovering: journal, initialState: Sums(), reducer: summing)
        } throws: { error in
            if case JournalError.inUse = error { true } else { false }
        }
        store.dispatch(.add(1))
        try await store.journaled()
        #expect(store.state.deeds == [1])
        _ = await store.shutdown()
    }
}
