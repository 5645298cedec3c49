// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MillraceCombine
import TestSupport
import Testing

#if canImport(Combine)
    import Combine
#else
    @preconcurrency import OpenCombine
    import OpenCombineDispatch
#endif

@Suite("Stores on a scheduler", .timeLimit(.minutes(5)))
struct SchedulerEngineTests {
    /// A scheduler that the store does not recognise as a dispatch queue.
    private struct Serial: Scheduler {
        typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType
        typealias SchedulerOptions = DispatchQueue.SchedulerOptions
        let queue: DispatchQueue
        var now: SchedulerTimeType { queue.now }
        var minimumTolerance: SchedulerTimeType.Stride { queue.minimumTolerance }

        func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
            queue.schedule(options: options, action)
        }

        func schedule(
            after date: SchedulerTimeType,
            tolerance: SchedulerTimeType.Stride,
            options: SchedulerOptions?,
            _ action: @escaping () -> Void
        ) { queue.schedule(after: date, tolerance: tolerance, options: options, action) }

        func schedule(
            after date: SchedulerTimeType,
            interval: SchedulerTimeType.Stride,
            tolerance: SchedulerTimeType.Stride,
            options: SchedulerOptions?,
            _ action: @escaping () -> Void
        ) -> any Cancellable {
            queue.schedule(after: date, interval: interval, tolerance: tolerance, options: options, action)
        }
    }

    @Test("the memory of a burst is given back when the store is quiet, after each burst")
    func memory() async {
        let queue = DispatchQueue(label: "scheduler")
        let store = ReduxStoreBase<Int, Int>(
            initialState: 0,
            reducer: .reduce { action, state in state += action },
            engine: .scheduler(Serial(queue: queue))
        )
        for burst in 1...2 {
            queue.suspend()
            for _ in 0..<300_000 { store.dispatch(1) }
            #expect(store.metrics.queueSegments > 3)
            queue.resume()
            await store.drain()
            #expect(await eventually { store.metrics.queueSegments <= 2 })
            #expect(store.metrics.reduced == UInt64(burst) * 300_000)
        }
    }

    #if !canImport(Combine)
        @Test("a dispatch queue of OpenCombine is that queue")
        func queues() {
            let queue = DispatchQueue(label: "scheduler")
            #expect(StoreEngine.scheduler(queue.ocombine) == .queue(queue))
            #expect(StoreEngine.scheduler(DispatchQueue.main.ocombine) == .main)
        }
    #endif
}
