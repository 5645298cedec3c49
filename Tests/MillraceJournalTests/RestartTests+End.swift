// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceCore
import MillraceJournal
import MillraceJournalTesting
import MillraceRecords
import TestSupport
import Testing

/// The orderly end. With `.exact` the IO of the last action runs when that action is on the disk, so the pipeline notes only
/// later that it has no open effect.
extension RestartTests {
    @Test("after an orderly end nothing is handled again, unless an effect was under way", arguments: [false, true])
    func orderlyEnd(isUnderWay: Bool) async throws {
        let outside = Outside()
        outside.allowed.value = [1]
        let (store, journal) = try await open("a", outside, held: .exact)
        if isUnderWay {
            store.dispatch(.tell(2))
            #expect(await eventually { outside.numbers == [2] })
        }
        store.dispatch(.tell(1))
        #expect(await eventually { store.state.found == 1 })
        store.dispatch(.add(1))
        await store.drain()
        #expect(outside.told.value == [1])
        _ = await store.shutdown()
        #expect(journal.metrics.finishedEffects == (isUnderWay ? 0 : 3))
        outside.begun.value = []

        for _ in 1...2 {
            let (again, _) = try await open("a", outside, held: .exact)
            #expect(again.recovery?.handledAgain == (isUnderWay ? 4 : 0))
            #expect(await eventually { outside.numbers == (isUnderWay ? [2] : []) })
            _ = await again.shutdown()
            outside.begun.value = []
        }
    }

    @Test("what was handled again is not handled again after the next orderly end, although nothing new came")
    func orderlyEndOfReplay() async throws {
        let outside = Outside()
        let (store, _) = try await open("a", outside, held: .exact)
        store.dispatch(.add(1))
        await store.drain()
        try crash("a", to: "b")
        _ = await store.shutdown()
        let (second, _) = try await open("b", outside, held: .exact)
        #expect(second.recovery?.handledAgain == 1)
        _ = await second.shutdown()
        let (third, _) = try await open("b", outside, held: .exact)
        #expect(third.recovery?.handledAgain == 0 && third.state.deeds == [1])
        _ = await third.shutdown()
    }

    @Test("if the disk is full at the end, the next start handles the last actions again, and nothing has failed")
    func fullAtTheEnd() async throws {
        var again = 0
        for call in 1...20 {
            let outside = Outside()
            let disk = PowerCutDisk(seed: UInt64(call))
            func open() async throws -> (Store, Journal<Deed>) {
                let journal = SharedFolder(disk).journal(try BitwiseCodec<Deed>(version: 1))
                let store = try await Store(
                    recovering: journal,
                    initialState: Sums(),
                    reducer: summing,
                    middleware: outside.effects() <> Adder { number in outside.told.update { $0.append(number) } },
                    held: .exact,
                    effects: .restart
                )
                return (store, journal)
            }
            let (store, journal) = try await open()
            for number in 1...3 { store.dispatch(.add(number)) }
            await store.drain()
            try await store.journaled()
            disk.fault = (disk.calls + call, .full, lasts: true)
            _ = await store.shutdown()
            disk.fault = nil
            let (next, _) = try await open()
            #expect(next.state.deeds == [1, 2, 3], "call \(call)")
            if next.recovery?.handledAgain ?? 0 > 0, journal.metrics.failure == nil { again += 1 }
            _ = await next.shutdown()
        }
        #expect(again > 0)
    }
}
