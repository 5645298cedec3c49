// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Millrace
import MillraceJournal
import Synchronization

/// The time from a dispatch until the action is durable and its IO runs, at half of the highest rate (P4).
@MainActor
struct JournalLatency {
    let disk: BenchDisk
    let pairing: Pairing
    let isShort: Bool

    /// Notes the times of the actions that carry one.
    private struct Clock: MiddlewareProtocol {
        let times: Times

        func handle(
            action: JournaledOrder,
            from dispatcher: ActionSource,
            state: @escaping GetState<OrderCount>
        ) -> IO<JournaledOrder> {
            let dispatched = action.words.0
            return dispatched == 0 ? .pure() : IO { _ in times.add(bench_now() - dispatched) }
        }
    }

    /// The pipeline's thread alone adds; it is read after the end.
    private final class Times: @unchecked Sendable {
        var values: [UInt64] = []

        func add(_ time: UInt64) { values.append(time) }
    }

    /// - Parameter rate: Actions a second.
    func measure(rate: Double) async throws -> [Row] {
        pairing.progress.show("P4")
        let times = Times()
        let journal = try JournaledStore.journal(disk.name("latency"), .grouped)
        let store = try await JournaledStore.Store(
            recovering: journal,
            initialState: OrderCount(),
            reducer: JournaledStore.reducer,
            middleware: Clock(times: times)
        )
        // One batch each 200 µs; its first action carries its time.
        let tick: UInt64 = 200_000
        var batch = JournaledStore.batch(max(1, Int(rate / 2 * Double(tick) / 1e9)))
        let ticks = isShort ? 50 : 15_000
        var next = bench_now() + tick
        for _ in 0..<ticks {
            while bench_now() < next { bench_pause() }
            // The intended time: a late dispatch counts.
            batch[0].words.0 = next
            store.dispatch(contentsOf: batch)
            next += tick
        }
        await store.drain()
        let sizes = journal.metrics.groupSizes
        _ = await store.shutdown()
        guard let found = Latencies(times.values) else { return [] }
        let group = Int(sizes.limit(of: 0.5) ?? 1)
        let raw = try RawFile(disk, bytes: 16 << 20)
        let bytes = JournaledOrder.frameBytes + group * JournaledOrder.recordBytes
        let sync = try raw.syncTime(bytes, rounds: isShort ? 3 : 500)
        let wake = wakeUp()
        let goal = (1.5 * sync + 2 * wake) * 1.15
        let note = "raw sync of \(bytes) bytes \(Int(sync / 1000)) µs, futex \(Int(wake / 1000)) µs"
        return [
            Row("P4 dispatch to durable, \(Int(rate / 2)) a second", latencies: found),
            Row(
                "P4 its p50 / (1.5 syncs + 2 wake-ups + 15 %)",
                amount: found.p50 / goal,
                targets: [Target(figure: .amount, atMost: 1)],
                note: note
            ),
        ]
    }

    /// The median time of a wake-up by a bare futex.
    private func wakeUp() -> Double {
        guard let sleeper = bench_sleeper_create() else { return 0 }
        defer { bench_sleeper_destroy(sleeper) }
        let times = (0..<(isShort ? 3 : 300)).map { _ in
            bench_pause()
            return Double(bench_sleeper_wake(sleeper))
        }
        return Sample(times)?.median ?? 0
    }
}
