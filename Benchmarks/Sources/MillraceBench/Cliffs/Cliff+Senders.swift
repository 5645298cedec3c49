// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Dispatch
import Millrace

extension Cliff {
    /// The cost of cancelling a task that waits for room in a full store. All tasks are cancelled, the last one first.
    static var cancelledSenders: Cliff {
        Cliff("suspended senders, one cancelled", sizes: [100, 1_000, 10_000, 100_000], rule: .flat(atMost: 3)) {
            size in
            let hold = DispatchSemaphore(value: 0)
            let store = ReduxStoreBase(
                initialState: 0,
                reducer: Reducer<Int, Int>.reduce { action, count in
                    if action == 0 { hold.wait() }
                    count += 1
                },
                engine: .thread(),
                publication: .onDemand,
                capacity: .bounded(1)
            )
            store.dispatch(0)
            let tasks = (1...size).map { number in Task { try await store.send(number) } }
            // When these background tasks have run, the pool had nothing else to do: every task waits for room.
            for _ in 0..<100 { await Task.detached(priority: .background) { await Task.yield() }.value }
            let began = bench_now()
            for task in tasks.reversed() { task.cancel() }
            for task in tasks { _ = await task.result }
            let nanoseconds = Double(bench_now() - began) / Double(size)
            hold.signal()
            await store.drain()
            guard store.state == 1, store.metrics.rejected == UInt64(size) else {
                throw BenchmarkError.wrongResult(
                    contender: "cancelled senders",
                    expected: "\(size) rejected",
                    found: "\(store.metrics.rejected)"
                )
            }
            return nanoseconds
        }
    }
}
