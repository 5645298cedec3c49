// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Dispatch
import Millrace

/// The cost of an idle store, and the memory that is still held after a backlog.
struct FootprintSection: Section {
    let id = "footprint"
    let isShort: Bool

    func measure(_ pairing: Pairing) async throws -> [Table] {
        var rows = try await idleRows(pairing)
        rows += try await backlogRows(pairing)
        return [Table(title: "Idle stores, engine .thread(), and the memory of a backlog", rows: rows)]
    }

    private func idleRows(_ pairing: Pairing) async throws -> [Row] {
        let count = 64
        let seconds = isShort ? 1 : 60
        func makeStore() async -> StoreLoop.Store {
            let store = StoreLoop.plainStore(engine: .thread(name: "bench-idle"))
            store.dispatch(contentsOf: [AppAction.nth(0), AppAction.nth(1)])
            await store.drain()
            return store
        }
        // The first store allocates what all stores share.
        var stores = [await makeStore()]
        try await Task.sleep(for: .milliseconds(300))
        let before = bench_resident_bytes()
        for _ in 0..<count { stores.append(await makeStore()) }
        try await Task.sleep(for: .milliseconds(300))
        let bytes = bench_resident_bytes() - min(before, bench_resident_bytes())
        pairing.progress.show("\(count) idle stores, \(seconds) s")
        let switches = bench_voluntary_switches("bench-idle")
        let wakeUps = stores.reduce(0) { $0 + $1.metrics.wakeUps }
        try await Task.sleep(for: .seconds(seconds))
        let woken = bench_voluntary_switches("bench-idle") - switches
        let rung = stores.reduce(0) { $0 + $1.metrics.wakeUps } - wakeUps
        return [
            Row(
                "KB of memory, a store",
                amount: Double(bytes) / 1024 / Double(count),
                targets: [Target(figure: .amount, atMost: 64)]
            ),
            Row(
                "wake-ups of \(stores.count) idle threads in \(seconds) s",
                amount: Double(woken) + Double(rung),
                targets: [Target(figure: .amount, atMost: 0)]
            ),
        ]
    }

    private func backlogRows(_ pairing: Pairing) async throws -> [Row] {
        let count = isShort ? 100_000 : 10_000_000
        let hold = DispatchSemaphore(value: 0)
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<AppAction, Int>.reduce { _, count in
                if count == 0 { hold.wait() }
                count += 1
            },
            engine: .thread(),
            publication: .onDemand
        )
        pairing.progress.show("a backlog of \(count)")
        try await Task.sleep(for: .milliseconds(200))
        let before = bench_resident_bytes()
        for number in 0..<count { store.dispatch(AppAction.nth(number)) }
        let full = bench_resident_bytes()
        hold.signal()
        await store.drain()
        let drained = bench_now()
        var now = bench_resident_bytes()
        while now > before + 1_048_576, bench_now() - drained < 10_000_000_000 {
            try await Task.sleep(for: .milliseconds(20))
            now = bench_resident_bytes()
        }
        let seconds = Double(bench_now() - drained) / 1e9
        guard store.state == count else {
            throw BenchmarkError.wrongResult(contender: "backlog", expected: "\(count)", found: "\(store.state)")
        }
        return [
            Row(
                "bytes an action in a backlog of \(count), an action of \(MemoryLayout<AppAction>.size) bytes",
                amount: Double(full - min(full, before)) / Double(count),
                targets: [Target(figure: .amount, atMost: isShort ? 100 : 49)]
            ),
            Row(
                "seconds from the end of the drain until all but 1 MB of the backlog's memory is freed",
                amount: seconds,
                targets: [Target(figure: .amount, atMost: 5)]
            ),
        ]
    }
}
