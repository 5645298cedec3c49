// SPDX-License-Identifier: Apache-2.0

public import Dispatch
import Millrace

#if canImport(Combine)
    public import Combine
#else
    @preconcurrency public import OpenCombine
    public import OpenCombineDispatch
#endif

/// A scheduler of the main queue that runs an action at once if the caller is already on that queue.
///
/// ```swift
/// publisher.receive(on: ASAPScheduler.default).sink { label.text = $0 }
/// ```
///
/// Delayed and repeated actions always go through the main queue.
public struct ASAPScheduler: Scheduler, Sendable {
    /// The time type of the main queue.
    public typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType
    /// The options of the main queue.
    public typealias SchedulerOptions = DispatchQueue.SchedulerOptions

    /// The only instance.
    public static let `default` = ASAPScheduler()

    /// The current time of the main queue.
    public var now: SchedulerTimeType { DispatchQueue.main.now }

    /// The minimum tolerance of the main queue.
    public var minimumTolerance: SchedulerTimeType.Stride { DispatchQueue.main.minimumTolerance }

    /// Runs `action` at once if this is the main queue, ignoring the options. Otherwise runs it later on the main
    /// queue.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        if DispatchQueue.isMainQueue {
            action()
        } else {
            DispatchQueue.main.schedule(options: options, action)
        }
    }

    /// Runs `action` on the main queue at a given time.
    public func schedule(
        after date: SchedulerTimeType,
        tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        DispatchQueue.main.schedule(after: date, tolerance: tolerance, options: options, action)
    }

    /// Runs `action` on the main queue at a given time, then repeatedly, until it is cancelled.
    public func schedule(
        after date: SchedulerTimeType,
        interval: SchedulerTimeType.Stride,
        tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) -> any Cancellable {
        DispatchQueue.main.schedule(
            after: date,
            interval: interval,
            tolerance: tolerance,
            options: options,
            action
        )
    }
}

extension DispatchQueue {
    /// Runs a closure at once if this is the main queue. Otherwise runs it later on the main queue, with these
    /// options.
    @preconcurrency
    public static func asap(options: SchedulerOptions?, _ block: @escaping @Sendable () -> Void) {
        ASAPScheduler.default.schedule(options: options, block)
    }
}
