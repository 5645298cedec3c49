// SPDX-License-Identifier: Apache-2.0

public import Millrace
import MillraceCore
import MillraceRuntime

/// Reports each handler that has run longer than its limit, while it still runs: the name of the middleware, and the
/// kind, number and source of the action.
///
/// ```swift
/// let watchdog = SlowHandlerWatchdog(store, limit: .milliseconds(100), limits: ["import": .seconds(5)]) { slow in
///     print(slow)     // middleware "search", handling action 'found' (number 7) from App/Search.swift:12: …
/// }
/// ```
///
/// The watchdog needs no ``Instrumentation``: every store notes the stage and the action that its pipeline is in.
///
/// **Lateness.** The first report of a handler is late by a quarter to three quarters of the shortest limit. With one
/// limit of 100 ms, it comes when the handler has run for 125 to 175 ms, or later if all processors are busy. The time
/// in a report begins at the second check that found the handler. So this time is shorter than the handler's own time,
/// by up to half of the shortest limit. The watchdog reports a handler again each time that this time has doubled:
/// after about 100, 200, 400 ms. So a handler that never returns causes only a few lines in a log.
///
/// When the handler has returned, the watchdog makes a last report (``SlowHandler/hasEnded``), with the time for which
/// it has seen the handler run. If the watchdog is released before that, it makes no last report. It never reports a
/// handler that returns within its limit, because it counts only the time in which it has seen the handler run.
///
/// Give each middleware a name (`named(_:)`), which its reports then contain. The report of a middleware without a name
/// has only the stage and the action.
///
/// **Threads.** The watchdog has a thread, which checks the store four times in the shortest limit. It calls `report`
/// on that thread, and does not check again until `report` returns. The thread ends when the watchdog is released. It
/// also ends at its first check after the store has been released, or its pipeline has ended.
///
/// **Cost.** An action costs no more than without the watchdog. A check loads one word, which names the pipeline's slot
/// and stage. The thread inspects the pipeline only if the word is the same as at the last check. An inspection
/// interrupts each core on which a thread of the process runs, for a few microseconds. The pipeline may wait for its
/// end.
///
/// **What it does not do.** If the kernel has no `membarrier`, the watchdog reports nothing. A report of a reducer, or
/// of an IO that is not a plugin's, has no name: only the stage and the action.
public final class SlowHandlerWatchdog: Sendable {
    private let ended = Latch()

    /// Whether the system has created the watchdog's thread. If false, the watchdog reports nothing. The value stays
    /// true after the store has ended.
    public let isWatching: Bool

    /// Starts to watch a store.
    ///
    /// - Parameters:
    ///   - store: The store to watch. The watchdog does not keep it alive.
    ///   - limit: The longest time that a handler may take. A limit under a millisecond counts as a millisecond.
    ///   - limits: Other limits, by the name of a middleware or the kind of an action. If both have one, that of the
    ///     middleware counts.
    ///   - report: The closure that receives the reports. The watchdog calls it on its thread.
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
        /// The handler, with the time for which the watchdog has seen it run so far; nil before the first report.
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
            // The same value at two checks may mean the same action: only then inspect the pipeline.
            let now = glance != 0 && glance == before ? look(at: store, last) : nil
            if now?.slow == nil { tellEnd(of: last) }
            last = now
        }
    }

    /// Reports that the handler of the last inspection has returned, if it was reported before.
    private func tellEnd(of last: Sighting?) {
        guard let slow = last?.slow else { return }
        report(SlowHandler(handler: slow.handler, runningFor: slow.runningFor, limit: slow.limit, hasEnded: true))
    }

    private func look(at store: any ProbedStore, _ last: Sighting?) -> Sighting? {
        // Read before the inspection. If this inspection and the last one find the same handler, it ran until this
        // moment at least.
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
