// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceCore
import MillraceJournal
import MillraceRecords
import Synchronization

/// How long a snapshot of a large state stops the pipeline.
struct Snapshots {
    typealias Table = [UInt64: UInt64]
    typealias Order = JournalBench.Order

    let path: String

    /// Writes pairs of numbers.
    struct TableCodec: StateCodec {
        let schema = RecordSchema(
            type: RecordType(name: "Table", version: 1, encoding: .custom),
            kinds: ["Table"]
        )

        func kind(of action: Table) -> Int { 0 }

        func encode(_ action: Table, into output: inout RecordBuffer) throws(CodecError) {
            for (key, value) in action {
                output.append(key)
                output.append(value)
            }
        }

        func decode(_ bytes: UnsafeRawBufferPointer, route: Int) throws(CodecError) -> Table {
            var table = Table(minimumCapacity: bytes.count / 16)
            for place in stride(from: 0, to: bytes.count - 15, by: 16) {
                table[bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)] =
                    bytes.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self)
            }
            return table
        }
    }

    /// The longest time between two actions on the thread that notes the first one: the pipeline's. Others are ignored.
    private final class Gaps: @unchecked Sendable {
        private let thread = Atomic<UInt>(0)
        private var last: UInt64 = 0
        private(set) var longest: UInt64 = 0

        func note() {
            let current = UInt(pthread_self())
            let owner = thread.load(ordering: .relaxed)
            if owner == 0 { thread.store(current, ordering: .relaxed) } else if owner != current { return }
            let now = DispatchTime.now().uptimeNanoseconds
            guard last > 0 else { return last = now }
            longest = max(longest, now - last)
            last = now
        }
    }

    /// Prints the longest gap between two actions for each kind of snapshot, with a dictionary of so many entries.
    func measure(entries: UInt64) async throws {
        let table = Table(uniqueKeysWithValues: (0..<entries).map { ($0, $0) })
        let kinds: [(String, SnapshotPolicy<Table>)] = [
            ("none", .never),
            (".copy", .every(actions: 400_000, by: TableCodec())),
            (".shadow", .every(actions: 400_000, kind: .shadow, by: TableCodec())),
        ]
        for (name, policy) in kinds {
            let gaps = Gaps()
            let journal = try Journal<Order>(
                directory: "\(path)/snapshots-\(name.filter(\.isLetter))",
                codec: .bitwise(version: 1),
                durability: .process,
                capacity: 65_536
            )
            let reducer = Reducer<Order, Table>.reduce { order, table in
                // Not the first one, which copies the initial state.
                if order.words.0 > 0 { gaps.note() }
                table[order.words.0 % entries, default: 0] &+= 1
            }
            let store = try await ReduxStoreBase(
                recovering: journal,
                initialState: table,
                reducer: reducer,
                publication: .onDemand,
                snapshots: policy
            )
            store.dispatch(Order(words: (0, 0, 0, 0, 0, 0, 0, 0)))
            await store.drain()
            let start = ContinuousClock.now
            for round in 0..<2_000 {
                store.dispatch(
                    contentsOf: (0..<1_000).map { number in
                        var order = Order()
                        order.words.0 = UInt64(round * 1_000 + number)
                        return order
                    }
                )
            }
            try await store.journaled()
            let time = ContinuousClock.now - start
            _ = await store.shutdown()
            let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
            print(
                "snapshots, \(entries) entries, \(name): longest gap between two actions",
                "\(text(Double(gaps.longest) / 1e6, 0, 1)) ms, \(text(2 / seconds, 0, 2)) million actions/s,",
                "\(journal.metrics.snapshots) written"
            )
        }
    }
}
