// SPDX-License-Identifier: Apache-2.0

package import Dispatch
package import MillraceCombine

#if canImport(Combine)
    package import Combine
#else
    @preconcurrency package import OpenCombine
    package import OpenCombineDispatch
#endif

/// A dispatch queue as a scheduler whose type the library does not know.
package struct UnknownScheduler: Scheduler {
    package typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType
    package typealias SchedulerOptions = DispatchQueue.SchedulerOptions

    let queue: DispatchQueue

    package init(queue: DispatchQueue) { self.queue = queue }

    package var now: SchedulerTimeType { queue.now }
    package var minimumTolerance: SchedulerTimeType.Stride { queue.minimumTolerance }

    package func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        queue.schedule(options: options, action)
    }

    package func schedule(
        after date: SchedulerTimeType,
        tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        queue.schedule(after: date, tolerance: tolerance, options: options, action)
    }

    package func schedule(
        after date: SchedulerTimeType,
        interval: SchedulerTimeType.Stride,
        tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) -> any Cancellable {
        queue.schedule(after: date, interval: interval, tolerance: tolerance, options: options, action)
    }
}

/// A store on such a scheduler: the engine of the target MillraceCombine.
package func schedulerEngine() -> StoreEngine {
    .scheduler(UnknownScheduler(queue: DispatchQueue(label: "scheduler", attributes: .concurrent)))
}
