// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import Logging
public import MillraceCore
public import MillraceRuntime

extension MiddlewareProtocol {
    /// Returns this middleware with a ``LoggerMiddleware`` in front of it.
    ///
    /// ```swift
    /// let middleware = (auth <> orders).logger(stateDiffTransform: .diff())
    /// ```
    ///
    /// The parameters are the same as those of `default(…)` of ``LoggerMiddleware``.
    @preconcurrency
    public func logger(
        actionTransform: LoggerMiddleware<InputActionType, StateType>.ActionTransform = .default(),
        actionPrinter: LogPrinter = .swiftLog(),
        actionFilter: (@Sendable (InputActionType) -> Bool)? = nil,
        stateDiffTransform: LoggerMiddleware<InputActionType, StateType>.StateDiffTransform = .off,
        stateDiffPrinter: LogPrinter = .swiftLog(),
        queue: DispatchQueue = .global(qos: .utility),
        level: (@Sendable (InputActionType) -> Logger.Level)? = nil,
        sampling: LogSampling = .all,
        rateLimit: LogRateLimit? = nil,
        redaction: (@Sendable (String) -> String)? = nil,
        capacity: Int = 4096,
        memory: LogMemoryLimit = LogMemoryLimit(),
        log: ActionLog = ActionLog(),
        clock: (@Sendable () -> Ticks)? = nil
    ) -> LoggedMiddleware<Self> {
        LoggedMiddleware(
            base: self,
            logger: .default(
                actionTransform: actionTransform,
                actionPrinter: actionPrinter,
                actionFilter: actionFilter,
                stateDiffTransform: stateDiffTransform,
                stateDiffPrinter: stateDiffPrinter,
                queue: queue,
                level: level,
                sampling: sampling,
                rateLimit: rateLimit,
                redaction: redaction,
                capacity: capacity,
                memory: memory,
                log: log,
                clock: clock
            )
        )
    }
}
