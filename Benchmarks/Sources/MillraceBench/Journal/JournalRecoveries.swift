// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import CDiskRivals
import Foundation
import Millrace
import MillraceJournal

/// A recovery beside the same reducers on an array in memory, and beside a read of the files (P6).
@MainActor
struct JournalRecoveries {
    let disk: BenchDisk
    let pairing: Pairing
    let isShort: Bool

    func measure() async throws -> [Row] {
        pairing.progress.show("P6")
        let actions = isShort ? 20_000 : 2_000_000
        let path = disk.name("recovery")
        let first = try await open(path)
        _ = try await JournaledStore.time(first, JournaledStore.batch(1_000), actions)
        _ = await first.shutdown()
        let orders = JournaledStore.batch(actions)
        var recoveries: [Double] = []
        var folds: [Double] = []
        var reads: [Double] = []
        for _ in 0..<(isShort ? 1 : min(5, pairing.pairs)) {
            var state = OrderCount()
            var start = bench_now()
            for order in orders { JournaledStore.reducer.reduce(order, &state) }
            folds.append(Double(bench_now() - start) / Double(actions))
            reads.append(Double(try read(path)) / Double(actions))
            start = bench_now()
            let store = try await open(path)
            recoveries.append(Double(bench_now() - start) / Double(actions))
            guard store.state.count == state.count else {
                let found = "\(store.state.count)"
                throw BenchmarkError.wrongResult(contender: "recovery", expected: "\(state.count)", found: found)
            }
            _ = await store.shutdown()
        }
        guard let time = Sample(recoveries), let fold = Sample(folds), let read = Sample(reads) else { return [] }
        let goal = max(fold.median / 0.7, read.median / 0.8)
        return [
            Row("P6 recovery, an action", time: time),
            Row("P6 the reducer on an array in memory", time: fold),
            Row("P6 the bytes read once", time: read),
            Row(
                "P6 recovery / the slower of fold / 0.7 and read / 0.8",
                amount: time.median / goal,
                targets: [Target(figure: .amount, atMost: 1)]
            ),
        ]
    }

    private func open(_ path: String) async throws -> JournaledStore.Store {
        try await JournaledStore.Store(
            recovering: JournaledStore.journal(path, .process),
            initialState: OrderCount(),
            reducer: JournaledStore.reducer
        )
    }

    private func read(_ path: String) throws -> UInt64 {
        let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".mrj") }
        return try names.reduce(0) { try $0 + BenchDisk.check(disk_read("\(path)/\($1)"), "read") }
    }
}
