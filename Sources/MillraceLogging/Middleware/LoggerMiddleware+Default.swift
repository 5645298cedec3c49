// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import Logging
public import MillraceRuntime

extension LoggerMiddleware {
    /// Where the lines of actions go.
    public typealias ActionLogger = LogPrinter
    /// Where the lines of states go.
    public typealias StateLogger = LogPrinter

    /// A logger by itself, for one place in a chain of middlewares.
    ///
    /// ```swift
    /// let logger = LoggerMiddleware<AppAction, AppState>.default(
    ///     actionTransform: .actionNameOnly,
    ///     actionFilter: { if case .tick = $0 { false } else { true } },
    ///     stateDiffTransform: .recursive(stateName: "AppState"),
    ///     level: { if case .failed = $0 { .error } else { .trace } },
    ///     rateLimit: LogRateLimit(perSecond: 1_000)
    /// )
    /// ```
    ///
    /// An action is asked for in this order: filter, level, sampling, rate limit, room in the ring. So one that finds
    /// the ring full has used up its token of the rate limit.
    /// - Parameters:
    ///   - actionTransform: what is told of an action.
    ///   - actionPrinter: where that goes.
    ///   - actionFilter: which actions are logged; of the others neither the action nor the change of the state. Runs
    ///     on the pipeline. Nil: all.
    ///   - stateDiffTransform: what is told of the change of the state. Default: nothing.
    ///   - stateDiffPrinter: where that goes.
    ///   - queue: where the log is formatted and printed; one at a time for each store, also on a concurrent queue.
    ///   - level: the level of an action, by which a logger of swift-log takes it or not. Runs on the pipeline. Nil:
    ///     trace.
    ///   - sampling: which of the actions that are left are logged.
    ///   - rateLimit: how many of these a second.
    ///   - redaction: changes each text of an action or of a state. Sees line by line, first with its strings as they
    ///     are, then, if it left that alone and it differs, with quotes and control characters in them escaped.
    ///   - capacity: how many actions wait to be formatted at most; rounded up to a power of two. The ring for them
    ///     is allocated when the store is made.
    ///   - memory: how much the actions and states may hold that wait, and how much may be copied because of them.
    ///   - log: tells what was skipped, and waits until all is written.
    ///   - clock: for sampling, rate limit, and the limit of what is copied; no one else asks it.
    @preconcurrency
    public static func `default`(
        actionTransform: ActionTransform = .default(),
        actionPrinter: LogPrinter = .swiftLog(),
        actionFilter: (@Sendable (Action) -> Bool)? = nil,
        stateDiffTransform: StateDiffTransform = .off,
        stateDiffPrinter: LogPrinter = .swiftLog(),
        queue: DispatchQueue = .global(qos: .utility),
        level: (@Sendable (Action) -> Logger.Level)? = nil,
        sampling: LogSampling = .all,
        rateLimit: LogRateLimit? = nil,
        redaction: (@Sendable (String) -> String)? = nil,
        capacity: Int = 4096,
        memory: LogMemoryLimit = LogMemoryLimit(),
        log: ActionLog = ActionLog(),
        clock: @escaping @Sendable () -> Ticks = { .now }
    ) -> LoggerMiddleware {
        LoggerMiddleware(
            LogOptions(
                actionTransform: actionTransform,
                actionPrinter: actionPrinter,
                stateDiffTransform: stateDiffTransform,
                stateDiffPrinter: stateDiffPrinter,
                queue: queue,
                sampling: sampling,
                rateLimit: rateLimit,
                redaction: redaction,
                capacity: capacity,
                memory: memory,
                log: log,
                clock: clock
            ),
            filter: actionFilter,
            level: level
        )
    }
}
