// SPDX-License-Identifier: Apache-2.0

public import Dispatch
import Millrace

#if canImport(Combine)
    public import Combine
#else
    @preconcurrency public import OpenCombine
    public import OpenCombineDispatch
#endif

/// Combine's way to the main queue without a detour: who is there already goes on at once.
///
/// ```swift
/// publisher.receive(on: ASAPScheduler.default).sink { label.text = $0 }
/// ```
///
/// What is to happen later, or again and again, is left to the main queue.
public struct ASAPScheduler: Scheduler, Sendable {
    /// That of the main queue.
    public typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType
    /// Those of the main queue.
    public typealias SchedulerOptions = DispatchQueue.SchedulerOptions

    /// The only one there is.
    public static let `default` = ASAPScheduler()

    /// The time of the main queue.
    public var now: SchedulerTimeType { DispatchQueue.main.now }

    /// That of the main queue.
    public var minimumTolerance: SchedulerTimeType.Stride { DispatchQueue.main.minimumTolerance }

    /// Runs `action` before it returns if this is the main queue, else there, later. At once the options say nothing.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        if DispatchQueue.isMainQueue {
            action()
        } else {
            DispatchQueue.main.schedule(options: options, action)
        }
    }

    /// Runs `action` on the main queue at a time.
    public func schedule(
        after date: SchedulerTimeType,
        tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        DispatchQueue.main.schedule(after: date, tolerance: tolerance, options: options, action)
    }

    /// Runs `action` on the main queue at a time, and again and again, until it is cancelled.
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
    /// Runs a closure: at once on the main queue, otherwise there, later, with these options.
    @preconcurrency
    public static func asap(options: SchedulerOptions?, _ block: @escaping @Sendable () -> Void) {
        ASAPScheduler.default.schedule(options: options, block)
    }
}
