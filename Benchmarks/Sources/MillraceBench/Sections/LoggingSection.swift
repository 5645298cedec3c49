// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Logging
import Millrace
import MillraceLogging
import Synchronization

/// The cost that a logger adds to an action on the pipeline. Formatting and printing happen on another thread at the
/// same time.
struct LoggingSection: Section {
    let id = "logging"

    func measure(_ pairing: Pairing) async throws -> [Table] {
        let crew = try Crew(1)
        let plain = Self.contender(
            "without a logger",
            StoreLoop.plainStore(engine: .caller, publication: .onDemand),
            crew,
            \.self
        )
        let none = [Target(figure: .mallocs, atMost: 0)]
        var rows = [Row(plain.name, time: try await pairing.measure(plain, runs: pairing.pairs))]
        for way in Way.all {
            let log = ActionLog()
            let store = way.makeStore(log)
            let logged = Self.contender(way.name, store, crew, \.self, drained: way.isDrained ? log : nil)
            guard let outcome = try await pairing.measure(logged, against: [plain]), let rival = outcome.rivals.first
            else { continue }
            rows.append(
                Row(
                    way.name,
                    time: rival.difference,
                    mallocs: try await pairing.mallocs(logged),
                    targets: way.target.map { [Target(figure: .nanoseconds, atMost: $0)] + (way.allocates ? [] : none) }
                        ?? [],
                    note: Self.note(log)
                )
            )
            way.end()
        }
        for (entries, isDrained) in [(16, false), (256, false), (16, true), (256, true)] {
            let log = ActionLog()
            let (logged, unlogged) = Self.bothStates(crew, log, entries: entries, isDrained: isDrained)
            guard let rival = try await pairing.measure(logged, against: [unlogged])?.rivals.first else { continue }
            let targets = [Target(figure: .nanoseconds, atMost: 50)]
            rows.append(
                Row(
                    "with both states, a dictionary of \(entries) entries\(isDrained ? ", drained" : "")",
                    time: rival.difference,
                    targets: targets,
                    note: Self.note(log)
                )
            )
        }
        let title = "A logger: processor time of the pipeline's thread with it, less without it, engine .caller"
        return [Table(title: title, rows: rows)]
    }

    /// What the log did with the actions; nil: nothing.
    static func note(_ log: ActionLog) -> String? {
        let metrics = log.metrics
        let seen = metrics.written + metrics.skipped
        guard seen > 0 else { return nil }
        let room = "\(100 * metrics.written / seen) % found room in the ring"
        guard metrics.changesLeftOut > 0 else { return room }
        return room + ", \(100 * metrics.changesLeftOut / seen) % without states"
    }

    /// Returns a store with a dictionary in its state and a logger that keeps both states of an action, and the same
    /// store without the logger. Each action changes an entry.
    static func bothStates(
        _ crew: Crew,
        _ log: ActionLog,
        entries: Int,
        isDrained: Bool = false
    ) -> (logged: Contender, plain: Contender) {
        let logged = CountedKeys.store(CountedKeys.logger(log), entries: entries)
        let plain = CountedKeys.store(CountedKeys.Identity(), entries: entries)
        return (
            contender(
                "a logger with both states, \(entries) entries",
                logged,
                crew,
                \.app,
                drained: isDrained ? log : nil,
                // So few that the log's memory limit has room for all states. The limit of copies a second still holds.
                burst: 64
            ),
            contender("without a logger", plain, crew, \.app)
        )
    }

    /// Returns a contender that measures processor time of the pipeline's thread. The formatting thread needs a
    /// processor too, and its time must not count.
    ///
    /// With a log it waits, untimed, after each `burst` of actions until the log has written them, so that every action
    /// finds room in the ring. Such a contender does fewer operations, because the waiting takes long.
    private static func contender<State: Sendable>(
        _ name: String,
        _ store: ReduxStoreBase<AppAction, State>,
        _ crew: Crew,
        _ part: @escaping (State) -> AppState,
        drained log: ActionLog? = nil,
        burst: Int = 2048
    ) -> Contender {
        Contender(name, share: log == nil ? 1 : 0.05) { operations in
            let before = part(store.state)
            let spent = Mutex<UInt64>(0)
            let burst = log == nil ? operations : burst
            _ = crew.run { _ in
                var time: UInt64 = 0
                for first in stride(from: 0, to: operations, by: burst) {
                    let written = log?.metrics.written ?? 0
                    let last = min(first + burst, operations)
                    let start = processorTime()
                    for index in first..<last { store.dispatch(AppAction.nth(index)) }
                    time += processorTime() - start
                    guard let log else { continue }
                    while log.metrics.written < written + UInt64(last - first), log.metrics.skipped == 0 { usleep(100) }
                }
                let total = time
                spent.withLock { $0 = total }
            }
            try StateChange(from: before, to: part(store.state)).check(StateChange(actions: operations), of: name)
            return spent.withLock { $0 }
        }
    }
}

/// Returns the processor time of this thread in nanoseconds.
private func processorTime() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// A logger configuration that is measured.
@MainActor
private struct Way {
    let name: String
    let target: Double?
    /// Whether it allocates, on the formatting thread or to wake that thread.
    let allocates: Bool
    /// Whether the contender waits for the log, so that the ring is never full.
    var isDrained = false
    let makeStore: (ActionLog) -> StoreLoop.Store
    var end: () -> Void = {}

    typealias Transform = LoggerMiddleware<AppAction, AppState>.ActionTransform

    static var bothStates: Way {
        let nowhere = LogPrinter.custom { _ in }
        return Way(name: "handed over with both states", target: nil, allocates: true) { log in
            StoreLoop.loggedStore {
                $0.logger(
                    actionTransform: .custom { _, _ in "" },
                    actionPrinter: nowhere,
                    stateDiffTransform: .custom { _, _ in nil },
                    stateDiffPrinter: nowhere,
                    log: log
                )
            }
        }
    }

    static var all: [Way] {
        let stopped = DispatchQueue(label: "stopped")
        var quiet = Logger(label: "quiet") { StreamLogHandler.standardError(label: $0) }
        quiet.logLevel = .info
        let noText = Transform.custom { _, _ in "" }
        let nowhere = LogPrinter.custom { _ in }
        return [
            Way(name: "left out by the filter", target: 5, allocates: false) { log in
                StoreLoop.loggedStore {
                    $0.logger(
                        actionPrinter: nowhere,
                        actionFilter: { if case .tick(-1) = $0 { true } else { false } },
                        log: log
                    )
                }
            },
            Way(name: "left out by the filter, a diff wanted", target: 5, allocates: false) { log in
                StoreLoop.loggedStore {
                    $0.logger(
                        actionPrinter: nowhere,
                        actionFilter: { if case .tick(-1) = $0 { true } else { false } },
                        stateDiffTransform: .diff(),
                        log: log
                    )
                }
            },
            Way(name: "left out by the level of swift-log", target: 40, allocates: false) { [quiet] log in
                StoreLoop.loggedStore { $0.logger(actionPrinter: .swiftLog(quiet), log: log) }
            },
            Way(name: "handed over, nothing formatted", target: 40, allocates: true) { log in
                StoreLoop.loggedStore { $0.logger(actionTransform: noText, actionPrinter: nowhere, log: log) }
            },
            Way(name: "handed over, nothing formatted, drained", target: 40, allocates: true, isDrained: true) { log in
                StoreLoop.loggedStore { $0.logger(actionTransform: noText, actionPrinter: nowhere, log: log) }
            },
            bothStates,
            Way(name: "one in 100", target: 40, allocates: true) { log in
                StoreLoop.loggedStore {
                    $0.logger(actionTransform: noText, actionPrinter: nowhere, sampling: .oneIn(100), log: log)
                }
            },
            Way(name: "at most 1,000 a second", target: 40, allocates: true) { log in
                StoreLoop.loggedStore {
                    $0.logger(
                        actionTransform: noText,
                        actionPrinter: nowhere,
                        rateLimit: LogRateLimit(perSecond: 1_000),
                        log: log
                    )
                }
            },
            Way(name: "the default text, into /dev/null", target: 40, allocates: true) { log in
                StoreLoop.loggedStore { $0.logger(actionPrinter: .file(FileAppender(path: "/dev/null")), log: log) }
            },
            Way(name: "the default text, into /dev/null, drained", target: 40, allocates: true, isDrained: true) {
                log in
                StoreLoop.loggedStore { $0.logger(actionPrinter: .file(FileAppender(path: "/dev/null")), log: log) }
            },
            Way(
                name: "skipped, as nobody prints",
                target: 40,
                allocates: false,
                makeStore: { log in
                    stopped.suspend()
                    return StoreLoop.loggedStore {
                        $0.logger(actionTransform: noText, actionPrinter: nowhere, queue: stopped, log: log)
                    }
                },
                end: { stopped.resume() }
            ),
        ]
    }
}
