// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import MillraceCombine
import SchedulerTestSupport
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
    @Test("the memory of a burst is given back when the store is quiet, after each burst")
    func memory() async {
        let queue = DispatchQueue(label: "scheduler")
        let store = ReduxStoreBase<Int, Int>(
            initialState: 0,
            reducer: .reduce { action, state in state += action },
            engine: .scheduler(UnknownScheduler(queue: queue))
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

    @Test("a child of fork stops at its first dispatch", .disabled(if: isSanitized))
    func fork() async {
        let store = ReduxStoreBase<Int, Int>(
            initialState: 0,
            reducer: .reduce { action, state in state += action },
            engine: .scheduler(UnknownScheduler(queue: DispatchQueue(label: "scheduler")))
        )
        store.dispatch(1)
        await store.drain()
        let child = ForkedChild { store.dispatch(2) }
        #expect(child.wasStopped, "\(child)")
    }

    /// A scheduler that waits for nothing, in another type than Combine's.
    private struct Immediate: Scheduler {
        typealias SchedulerTimeType = ImmediateScheduler.SchedulerTimeType
        typealias SchedulerOptions = Never
        var now: SchedulerTimeType { ImmediateScheduler.shared.now }
        var minimumTolerance: SchedulerTimeType.Stride { 0 }

        func schedule(options: Never?, _ action: @escaping () -> Void) { action() }

        func schedule(
            after date: SchedulerTimeType,
            tolerance: SchedulerTimeType.Stride,
            options: Never?,
            _ action: @escaping () -> Void
        ) { action() }

        func schedule(
            after date: SchedulerTimeType,
            interval: SchedulerTimeType.Stride,
            tolerance: SchedulerTimeType.Stride,
            options: Never?,
            _ action: @escaping () -> Void
        ) -> any Cancellable {
            action()
            return AnyCancellable {}
        }
    }

    @Test("a scheduler that waits for nothing ends its turns, although memory cannot be given back yet")
    func immediate() async {
        let store = ReduxStoreBase<Int, [Int]>(
            initialState: [],
            reducer: .reduce { action, state in state.append(action) },
            engine: .scheduler(Immediate()),
            publication: .batch
        )
        // A reader keeps the old states.
        let reads = Shared(false)
        let mayEnd = Shared(false)
        onNewThread {
            store.withState { _ in
                reads.value = true
                while !mayEnd.value { usleep(200) }
            }
        }
        #expect(await eventually { reads.value })
        for number in 0..<100 { store.dispatch(number) }
        #expect(store.metrics.reduced == 100)
        mayEnd.value = true
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
