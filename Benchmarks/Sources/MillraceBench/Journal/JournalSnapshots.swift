// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Dispatch
import Foundation
import Millrace
import MillraceJournal
import MillraceRecords
import Synchronization

/// How long a snapshot of a large state stops the pipeline (P7).
@MainActor
struct JournalSnapshots {
    typealias Table = [UInt64: UInt64]

    let disk: BenchDisk
    let pairing: Pairing
    let isShort: Bool

    /// Writes pairs of numbers.
    struct TableCodec: StateCodec {
        let schema = RecordSchema(type: RecordType(name: "Table", version: 1, encoding: .custom), kinds: ["Table"])

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
            let now = bench_now()
            guard last > 0 else { return last = now }
            longest = max(longest, now - last)
            last = now
        }
    }

    func measure() async throws -> [Row] {
        let entries: UInt64 = isShort ? 1_000 : 1_000_000
        let actions = isShort ? 10_000 : 1_000_000
        let interval = actions / 3
        let table = Table(uniqueKeysWithValues: (0..<entries).map { ($0, $0) })
        let kinds: [(String, SnapshotPolicy<Table>)] = [
            ("no snapshots", .never), (".copy", .every(actions: interval, by: TableCodec())),
            (".shadow", .every(actions: interval, kind: .shadow, by: TableCodec())),
        ]
        var rows: [Row] = []
        var times: [Double] = []
        for (name, policy) in kinds {
            pairing.progress.show("P7 \(name)")
            let (gap, time) = try await run(table, actions, policy)
            times.append(time)
            rows.append(Row("P7 \(name): the longest gap between two actions, ms", amount: gap))
        }
        rows.append(
            Row(
                "P7 .shadow / no snapshots: the whole run",
                amount: times[2] / times[0],
                targets: [Target(figure: .amount, atMost: 2)],
                note: "a dictionary of \(entries) entries"
            )
        )
        return rows
    }

    private func run(_ table: Table, _ actions: Int, _ policy: SnapshotPolicy<Table>) async throws -> (Double, Double) {
        let gaps = Gaps()
        let count = UInt64(table.count)
        let reducer = Reducer<JournaledOrder, Table>.reduce { order, table in
            // Not the first one, which copies the initial state.
            if order.words.1 > 0 { gaps.note() }
            table[order.words.1 % count, default: 0] &+= 1
        }
        let store = try await ReduxStoreBase(
            recovering: JournaledStore.journal(disk.name("snapshots"), .process),
            initialState: table,
            reducer: reducer,
            publication: .onDemand,
            snapshots: policy
        )
        var first = JournaledOrder()
        first.words.1 = 0
        store.dispatch(first)
        await store.drain()
        let batches = stride(from: 0, to: actions, by: 1_000)
        let start = bench_now()
        for batch in batches {
            let orders = (0..<1_000).map { number in
                var order = JournaledOrder()
                order.words.1 = UInt64(batch + number + 1)
                return order
            }
            store.dispatch(contentsOf: orders)
        }
        try await store.journaled()
        let time = Double(bench_now() - start)
        _ = await store.shutdown()
        return (Double(gaps.longest) / 1e6, time)
    }
}
