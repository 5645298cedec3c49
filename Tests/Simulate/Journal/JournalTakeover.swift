// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceCore
import MillraceJournal
import MillraceJournalTesting
import MillraceTesting

/// Two stores on one folder. While the lock of the first is there, the second is refused. If the lock is lost, as on some
/// network file systems, the second takes over, and the first acknowledges nothing that the second does not have.
struct JournalTakeover: Scenario {
    typealias Store = ReduxStoreBase<Deed, Deeds>

    private struct Notes: Sendable {
        /// What either store has acknowledged, and nobody has found in a recovered state.
        var acknowledged: Set<Deed> = []
    }

    static func run(_ world: SimulatedWorld, _ time: SimulatedWorld.TimePassing) throws {
        var random = world.random
        let disk = SimulatedDisk(in: world)
        let book = Notebook(Notes())
        let losesLock = Int.random(in: 0..<3, using: &random) != 0
        let levels: [Durability] = [.grouped, .every, .interval(.milliseconds(2)), .process]
        let durability = levels.randomElement(using: &random)!
        let yields = Int.random(in: 0..<120, using: &random)
        let counts = (0..<2).map { _ in Int.random(in: 1..<14, using: &random) }

        @Sendable func open() async throws(JournalError) -> Store {
            try await Store(
                recovering: Journal(on: disk, codec: DeedCodec(), durability: durability, capacity: 4),
                initialState: Deeds(),
                reducer: Deeds.noting,
                engine: .simulated(in: world)
            )
        }
        @Sendable func commit(_ count: Int, _ producer: Int, to store: Store) async {
            for number in 1...count {
                let deed = Deed(.put, producer, number)
                do {
                    _ = try await store.commit(deed, producer: "p\(producer)", number: UInt64(number))
                } catch {
                    // The first store ends when another one has taken over.
                    if producer == 2 { book.breaks("nothing disturbs the one that has taken over: \(error)") }
                    return
                }
                book.change { $0.acknowledged.insert(deed) }
            }
        }
        @Sendable func takeOver(from first: Store) async throws {
            for _ in 0..<yields { await Task.yield() }
            if losesLock { disk.disk.loseLocks() }
            do throws(JournalError) {
                let store = try await open()
                if !losesLock, !first.isClosed { book.breaks("a folder that is locked is refused") }
                await commit(counts[1], 2, to: store)
                _ = await store.shutdown()
            } catch {
                guard case .locked = error, !losesLock else { throw error }
            }
        }
        world.task("first") {
            let store = try await open()
            world.task("second") { try await takeOver(from: store) }
            await commit(counts[0], 1, to: store)
            _ = await store.shutdown()
        }
        try book.run(world)
        world.task("last") {
            let store = try await open()
            let there = Set(store.state.all)
            if let lost = book.now.acknowledged.first(where: { !there.contains($0) }) {
                book.breaks("what either store has acknowledged is there: not \(lost)")
            }
            _ = await store.shutdown()
        }
        try book.run(world)
    }
}
