// SPDX-License-Identifier: Apache-2.0

public import Millrace
public import ServiceLifecycle

/// Runs a store as a service: it ends in good order when its service group does.
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
/// **Order.** A group starts its services in the order of the list, and shuts them down from the last to the first, each
/// when the one after it has ended. So list a store *before* the services that dispatch to it: they end first, and what
/// they dispatched is still reduced.
///
/// A service that waits for room, in `store.send`, ends only when it gets in, and a stuck handler lets nobody in: then the
/// store's turn never comes. Let the end of the group end the wait: `cancelWhenGracefulShutdown { try await store.send(x) }`.
///
/// **Graceful shutdown** closes the store and finishes what is pending, up to `shutdownDeadline`. Producers that wait
/// for room are freed: their `send` throws `SendError.closed`.
///
/// **Cancellation** does the same up to `cancellationDeadline`, and then leaves the rest. A group cancels its services
/// at a cancellation signal, when another service failed, and when its `maximumGracefulShutdownDuration` is over; if
/// that happens while the store drains already, whichever of the two deadlines comes first counts. A group with a
/// `maximumCancellationDuration` ends the whole process when that is over: choose a `cancellationDeadline` that is
/// two seconds shorter. A group that escalates throws its own error, or none: `onShutdown` is always told.
///
/// **At a deadline** the action that is running is the last one; what waits is thrown away. ``run()`` then throws a
/// ``StoreShutdownError``, which names a handler that is stuck, so that nothing is lost silently. ``run()`` takes at most
/// a second longer than the deadline.
///
/// **What it does not do.** It does not notice when somebody else closes the store: that is no reason to end the group.
/// It waits for the end of the group as before, and then reports. It keeps the store alive as long as the group lives.
public struct StoreService<ActionType, StateType>: Service, CustomStringConvertible {
    private let store: ReduxStoreBase<ActionType, StateType>
    private let shutdownDeadline: Duration
    private let cancellationDeadline: Duration
    private let onShutdown: @Sendable (ShutdownReport) -> Void

    /// A service that ends this store.
    ///
    /// ```swift
    /// let service = StoreService(store, cancellationDeadline: .seconds(5)) { report in
    ///     logger.notice("\(report)")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - store: What to end.
    ///   - shutdownDeadline: How long a graceful shutdown may take.
    ///   - cancellationDeadline: How long the store may take once the task is cancelled. Default: as `shutdownDeadline`.
    ///   - onShutdown: Is given the report once, before ``run()`` returns or throws. A group throws one error only, so a
    ///     report for a log is best taken here.
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

    /// Waits until the group shuts down or the task is cancelled, then ends the store.
    ///
    /// A group calls it. Outside of a group there is only cancellation. The store works before, and without, this call.
    ///
    /// - Throws: ``StoreShutdownError`` when the deadline came before the end of the pending actions. Returns when all
    ///   of them were finished, also after cancellation.
    public func run() async throws {
        // Throws when the task is cancelled, which `end` finds out by itself.
        try? await gracefulShutdown()
        let report = await end()
        onShutdown(report)
        guard report.isComplete, report.discarded == 0 else { throw StoreShutdownError(report: report) }
    }

    /// The report of the shutdown that ends first: the one begun now, or the one that a cancellation begins.
    private func end() async -> ShutdownReport {
        let store = store
        let cancellationDeadline = cancellationDeadline
        guard !Task.isCancelled else { return await store.shutdown(deadline: cancellationDeadline) }

        let (reports, report) = AsyncStream.makeStream(of: ShutdownReport.self)
        // Tasks of their own: the first must not stop at the cancellation, and a group would wait for all of them.
        let first = Task {
            for await report in reports { return report }
            return await store.shutdown(deadline: .zero)  // unreachable: nobody finishes the stream
        }
        Task { [shutdownDeadline] in report.yield(await store.shutdown(deadline: shutdownDeadline)) }
        return await withTaskCancellationHandler {
            await first.value
        } onCancel: {
            Task { report.yield(await store.shutdown(deadline: cancellationDeadline)) }
        }
    }

    /// The type, as a group names it in its log.
    public var description: String { "StoreService<\(ActionType.self), \(StateType.self)>" }
}
