// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import Logging
public import MillraceRuntime

extension LoggerMiddleware {
    /// The printer of actions.
    public typealias ActionLogger = LogPrinter
    /// The printer of changes of the state.
    public typealias StateLogger = LogPrinter

    /// Returns a logger that is not in front of a middleware, for one place in a chain of middlewares.
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
    /// The logger checks an action in this order: filter, level, sampling, rate limit, room in the ring. So an action
    /// that finds the ring full has already used its token of the rate limit.
    /// - Parameters:
    ///   - actionTransform: The text that is logged for an action.
    ///   - actionPrinter: The printer of that text.
    ///   - actionFilter: The filter of the logged actions. For the other actions, neither the action nor the change of
    ///     the state is logged. Runs on the pipeline. Nil: all actions.
    ///   - stateDiffTransform: The text that is logged for a change of the state. Default: nothing.
    ///   - stateDiffPrinter: The printer of that text.
    ///   - queue: The queue on which the log is formatted and printed: one block at a time for each store, even if the
    ///     queue is concurrent.
    ///   - level: The level of an action, by which a logger of swift-log accepts it or not. Runs on the pipeline. Nil:
    ///     trace.
    ///   - sampling: The choice of actions, among those that pass filter and level.
    ///   - rateLimit: The most of these actions per second.
    ///   - redaction: A closure that gets each line of an action or of a state, and returns what may be printed of it.
    ///     It first gets the line with unescaped strings. If it does not change that line, it also gets the line with
    ///     escaped quotes and control characters, if this differs. If it changes a line, it also gets its result in
    ///     these forms. A closure that changes its own result does not get these forms, so it should leave its result
    ///     as it is.
    ///   - capacity: The most actions that may wait to be formatted, rounded up to a power of two. The ring for them is
    ///     allocated when the store is made.
    ///   - memory: The limits on the memory that waiting actions and states may hold, and on the copies that they
    ///     cause.
    ///   - log: The log that counts the actions, and waits until all are written.
    ///   - clock: The clock for sampling, for the rate limit and for the memory limit. If nil, the clock of the system,
    ///     or of the simulated world that the store is in. Without sampling per second, rate limit and large changes of
    ///     the state, the clock is called for at most one in three actions. It is never called if actions and states
    ///     also hold no memory of their own.
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
        clock: (@Sendable () -> Ticks)? = nil
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
