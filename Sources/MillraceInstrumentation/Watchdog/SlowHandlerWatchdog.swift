// SPDX-License-Identifier: Apache-2.0

public import Millrace
import MillraceCore
import MillraceRuntime

/// Reports a handler that takes longer than its limit while it is running, by name and kind.
///
/// ```swift
/// let watchdog = SlowHandlerWatchdog(store, limit: .milliseconds(100), limits: ["import": .seconds(5)]) { slow in
///     print(slow)     // "search" handling found, number 7, from App/Search.swift:12 has been running for …
/// }
/// ```
///
/// It needs no ``Instrumentation``: every store tells what it is doing. A handler is reported when its limit has
/// passed, a quarter to three quarters of the shortest limit after that, and again each time that the time has doubled:
/// after about 100, 200, 400 ms, so that one that hangs does not flood the log. When it has returned, a last report
/// says so, and how long it took (``SlowHandler/hasEnded``); of a watchdog that is released before, there is none.
/// What ends in time is never reported: only what was seen running for so long counts.
///
/// Handlers are told by name, so give each middleware one (`named(_:)`): of one without, the report has the kind of
/// action alone.
///
/// **Threads.** A thread of its own looks four times in the shortest limit, and reports on it; one that is held up in
/// `report` looks no more until that returns. Releasing the watchdog ends it, and so does the end of the store.
///
/// **Cost.** None an action. A look is one load; only where the pipeline is where it was at the last look, the thread
/// asks closely, which costs every core of the process a few microseconds.
///
/// **What it does not do.** Where the kernel has no `membarrier`, it reports nothing. Works and reducers have no
/// names; for them the report has the stage and the kind.
public final class SlowHandlerWatchdog: Sendable {
    private let ended = Latch()

    /// False if the system had no thread to give: then nothing is reported.
    public let isWatching: Bool

    /// Watches a store.
    ///
    /// - Parameters:
    ///   - store: What is watched. It is not kept from being released.
    ///   - limit: How long a handler may take. At least a millisecond.
    ///   - limits: Other limits, by the names of middlewares, or kinds of actions; a middleware's comes first.
    ///   - report: Called on the watchdog's thread.
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

/// The watchdog's thread.
private final class Patrol: @unchecked Sendable {
    // Unchecked because a weak reference may be read from any thread, and this one is never set again.

    /// What ran at the last close look.
    private struct Sighting {
        let handler: StuckHandler
        let since: Ticks
        /// Reported when it has run for so long.
        var due: Duration
        /// What was reported of it, with the time that it was last seen.
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
            // The same place twice: it may be the same action.
            let now = glance != 0 && glance == before ? look(at: store, last) : nil
            if now?.slow == nil { tellEnd(of: last) }
            last = now
        }
    }

    /// Reports that what was reported has returned.
    private func tellEnd(of last: Sighting?) {
        guard let slow = last?.slow else { return }
        report(SlowHandler(handler: slow.handler, runningFor: slow.runningFor, limit: slow.limit, hasEnded: true))
    }

    private func look(at store: any ProbedStore, _ last: Sighting?) -> Sighting? {
        // Before the look: what is found has been running since then only if it was found before.
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
