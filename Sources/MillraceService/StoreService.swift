// SPDX-License-Identifier: Apache-2.0

public import Millrace
public import ServiceLifecycle

/// A service that runs a store in a service group, and shuts the store down when the group ends.
///
/// ```swift
/// let group = ServiceGroup(
///     services: [StoreService(store), server],
///     gracefulShutdownSignals: [.sigterm],
///     cancellationSignals: [.sigint],
///     logger: logger
/// )
/// try await group.run()
/// ```
///
/// **Order.** A group starts its services in the order of the list. It shuts them down from the last to the first, each
/// when the one after it has ended. So list a store *before* the services that dispatch to it: they end first, and the
/// actions that they dispatched are still reduced.
///
/// A service that is listed after the store must end before the store's shutdown begins. If it waits for room in
/// `store.send` behind a stuck handler, it never ends. Let the group's shutdown end the wait:
/// `cancelWhenGracefulShutdown { try await store.send(x) }`.
///
/// **Graceful shutdown** closes the store and finishes the pending actions until `shutdownDeadline`. Producers that
/// wait for room are freed: their `send` throws `SendError.closed`.
///
/// **Cancellation** does the same until `cancellationDeadline`. A group cancels its services at a cancellation signal,
/// when another service failed, and when its `maximumGracefulShutdownDuration` is over. If that happens during a
/// graceful shutdown, the earlier of the two deadlines counts.
///
/// A group with a `maximumCancellationDuration` ends the whole process when that time is over: choose a
/// `cancellationDeadline` that is two seconds shorter. A group whose time is over throws its own error, or none.
/// `onShutdown` is called in any case.
///
/// **At a deadline** the running action is the last one, and the actions that wait are dropped. ``run()`` then throws a
/// ``StoreShutdownError``, which names a stuck handler. ``run()`` takes at most a second longer than the deadline.
///
/// **A failed journal** closes its store, unless its policy is to detach. Then ``run()`` throws the journal's error, and
/// so the group ends with that error. When the program starts again, the store recovers what was written.
///
/// **What it does not do.** If other code closes the store, the service does not end the group. It still waits for the
/// end of the group, then reports. It keeps the store alive as long as the group exists.
public struct StoreService<ActionType, StateType>: Service, CustomStringConvertible {
    private let store: ReduxStoreBase<ActionType, StateType>
    private let shutdownDeadline: Duration
    private let cancellationDeadline: Duration
    private let onShutdown: @Sendable (ShutdownReport) -> Void

    /// Creates a service that shuts a store down.
    ///
    /// ```swift
    /// let service = StoreService(store, cancellationDeadline: .seconds(5)) { report in
    ///     logger.notice("\(report)")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - store: The store to shut down.
    ///   - shutdownDeadline: The most time that a graceful shutdown may take.
    ///   - cancellationDeadline: The most time that the store may take after the task was cancelled. Default: the
    ///     `shutdownDeadline`.
    ///   - onShutdown: A closure that is called once with the report, before ``run()`` returns or throws. A group
    ///     throws one error only, so log the report here.
    public init(
        _ store: ReduxStoreBase<ActionType, StateType>,
        shutdownDeadline: Duration = .seconds(30),
        cancellationDeadline: Duration? = nil,
        onShutdown: @escaping @Sendable (ShutdownReport) -> Void = { _ in }
    ) {
        self.store = store
        self.shutdownDeadline = shutdownDeadline
        self.cancellationDeadline = cancellationDeadline ?? shutdownDeadline
        self.onShutdown = onShutdown
    }

    /// Waits until the group shuts down or the task is cancelled, then shuts the store down.
    ///
    /// The group calls this method. Outside of a group it ends only by cancellation, or by a failed journal. The store
    /// handles actions before, and without, this call. The method returns if all pending actions were finished, also
    /// after cancellation; otherwise it throws.
    ///
    /// - Throws: ``StoreShutdownError`` if the deadline came before all pending actions, and the IOs and effects that
    ///   wait for a journal, were finished; the error of the store's journal if that has failed.
    public func run() async throws {
        await shutdownOrFailure()
        let report = await end()
        onShutdown(report)
        if let failure = store.journalFailure { throw failure }
        guard report.isComplete, report.dropped == 0, report.droppedHeld == 0 else {
            throw StoreShutdownError(report: report)
        }
    }

    /// Returns when the group shuts down, when the task is cancelled, or when a failed journal has closed the store.
    private func shutdownOrFailure() async {
        let store = store
        let (failures, failure) = AsyncStream.makeStream(of: Void.self)
        // Unstructured: the wait for the end of the store does not stop at a cancellation. It stops at the latest when
        // `run` has shut the store down.
        Task {
            await store.ended()
            if store.journalFailure != nil { failure.finish() }
        }
        await withTaskGroup { group in
            // Throws when the task is cancelled; `end` checks that itself.
            group.addTask { try? await gracefulShutdown() }
            group.addTask { for await _ in failures {} }
            await group.next()
            group.cancelAll()
        }
    }

    /// Returns the report of the shutdown that ends first: the one started here, or the one started by a cancellation.
    private func end() async -> ShutdownReport {
        let store = store
        let cancellationDeadline = cancellationDeadline
        guard !Task.isCancelled else { return await store.shutdown(deadline: cancellationDeadline) }

        let (reports, report) = AsyncStream.makeStream(of: ShutdownReport.self)
        // Unstructured tasks: `first` must not stop at the cancellation, and a task group would wait for all tasks.
        let first = Task {
            for await report in reports { return report }
            return await store.shutdown(deadline: .zero)  // unreachable: the stream is never finished
        }
        Task { [shutdownDeadline] in report.yield(await store.shutdown(deadline: shutdownDeadline)) }
        return await withTaskCancellationHandler {
            await first.value
        } onCancel: {
            Task { report.yield(await store.shutdown(deadline: cancellationDeadline)) }
        }
    }

    /// The name of the type, which a group writes to its log.
    public var description: String { "StoreService<\(ActionType.self), \(StateType.self)>" }
}
