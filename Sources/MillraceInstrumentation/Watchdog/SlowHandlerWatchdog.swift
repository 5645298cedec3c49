// SPDX-License-Identifier: Apache-2.0

public import Millrace
import MillraceCore
import MillraceRuntime

/// Reports a handler that runs longer than its limit while it is running, by name and kind.
///
/// ```swift
/// let watchdog = SlowHandlerWatchdog(store, limit: .milliseconds(100), limits: ["import": .seconds(5)]) { slow in
///     print(slow)     // middleware "search", handling action 'found' (number 7) from App/Search.swift:12: …
/// }
/// ```
///
/// The watchdog needs no ``Instrumentation``: every store shows what it is doing.
///
/// **Lateness.** A report comes a quarter to three quarters of the shortest limit after the handler's limit: with one
/// limit of 100 ms, when the handler has run for 125 to 175 ms. The time in a report counts from the second check that
/// found the handler. So it is up to half of the shortest limit less than the handler's own time. If all processors are
/// busy, the watchdog's thread may come later. A handler is reported again each time that its running time has doubled:
/// after about 100, 200, 400 ms. So a handler that hangs does not flood the log.
///
/// When the handler has returned, a last report says so, and how long it was seen running (``SlowHandler/hasEnded``).
/// If the watchdog is released before, there is no last report. A handler that returns within its limit is never
/// reported, because only the time in which the watchdog saw it running counts.
///
/// Reports identify handlers by name, so give each middleware one (`named(_:)`). For a middleware without a name, the
/// report has only the kind of action.
///
/// **Threads.** The watchdog has a thread, which checks the store four times in the shortest limit. It calls `report`
/// on that thread, and does not check again until `report` returns. The thread ends when the watchdog is released, and
/// when the store ends.
///
/// **Cost.** None for an action. A check is one load. Only if the pipeline is at the same place as at the last check,
/// the thread inspects it, which costs every core of the process a few microseconds.
///
/// **What it does not do.** Without `membarrier` in the kernel, it reports nothing. Reducers have no names, and IO
/// has a name only if it is a plugin's. For the others, the report has the stage and the kind.
public final class SlowHandlerWatchdog: Sendable {
    private let ended = Latch()

    /// Whether the watchdog watches. False if the system could not create a thread: then nothing is reported.
    public let isWatching: Bool

    /// Starts to watch a store.
    ///
    /// - Parameters:
    ///   - store: The store to watch. The watchdog does not keep it alive.
    ///   - limit: The longest time that a handler may take. At least a millisecond.
    ///   - limits: Other limits, by name of a middleware or kind of action. The limit of a middleware takes precedence.
    ///   - report: The closure that receives the reports, called on the watchdog's thread.
    public init<Action, State>(
        _ store: ReduxStoreBase<Action, State>,
        limit: Duration = .milliseconds(100),
        limits: [String: Duration] = [:],
        report: @escaping @Sendable (SlowHandler) -> Void
    ) {
        let patrol = Patrol(store: store.probed, limit: limit, limits: limits, report: report)
        let ended = ended
        isWatching = StoreThread.start(name: "millrace-watch") { patrol.run(until: ended) }
    }

    deinit {
        ended.open()
    }
}

/// The body of the watchdog's thread.
private final class Patrol: @unchecked Sendable {
    // Unchecked because a weak reference may be read from any thread, and this one is never set again.

    /// The handler that was running at the last inspection.
    private struct Sighting {
        let handler: StuckHandler
        let since: Ticks
        /// The running time at which the handler is reported next.
        var due: Duration
        /// The latest report of the handler, updated with the time for which it has been seen; nil before the first
        /// report.
        var slow: SlowHandler?
    }

    private weak var store: (any ProbedStore)?
    private let limit: Duration
    private let limits: [String: Duration]
    private let report: @Sendable (SlowHandler) -> Void

    init(
        store: any ProbedStore,
        limit: Duration,
        limits: [String: Duration],
        report: @escaping @Sendable (SlowHandler) -> Void
    ) {
        self.store = store
        self.limit = max(limit, .milliseconds(1))
        self.limits = limits.mapValues { max($0, .milliseconds(1)) }
        self.report = report
    }

    func run(until ended: Latch) {
        let pause = (limits.values.reduce(limit, min) / 4).nanosecondsClamped
        var last: Sighting?
        var glance: UInt = 0
        while !ended.wait(nanoseconds: pause) {
            guard let store, !store.isFinished else {
                tellEnd(of: last)
                return
            }
            let before = glance
            glance = store.glance
            // If the value has not changed, it may be the same action.
            let now = glance != 0 && glance == before ? look(at: store, last) : nil
            if now?.slow == nil { tellEnd(of: last) }
            last = now
        }
    }

    /// Reports that a handler which was reported before has returned.
    private func tellEnd(of last: Sighting?) {
        guard let slow = last?.slow else { return }
        report(SlowHandler(handler: slow.handler, runningFor: slow.runningFor, limit: slow.limit, hasEnded: true))
    }

    private func look(at store: any ProbedStore, _ last: Sighting?) -> Sighting? {
        // Taken before the inspection: until this moment the handler ran for certain, if the last inspection found it
        // too.
        let now = Ticks.now
        guard let handler = store.runningHandler() else { return nil }
        let limit = limit(of: handler)
        guard var last, last.handler == handler else {
            return Sighting(handler: handler, since: .now, due: limit)
        }
        let time = Duration.nanoseconds(Int64(clamping: last.since.nanoseconds(until: now)))
        let isDue = time >= last.due
        if isDue || last.slow != nil {
            last.slow = SlowHandler(handler: handler, runningFor: time, limit: limit, hasEnded: false)
        }
        if isDue, let slow = last.slow {
            report(slow)
            while last.due <= time { last.due *= 2 }
        }
        return last
    }

    private func limit(of handler: StuckHandler) -> Duration {
        handler.middleware.flatMap { limits[$0.description] } ?? limits[handler.actionKind] ?? limit
    }
}
