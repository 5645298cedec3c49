// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
public import Logging
internal import MillraceCore
internal import MillraceRuntime

/// What a logger was told to do; the same for every store it is in.
@usableFromInline
final class LogOptions<Action, State>: Sendable {
    @usableFromInline typealias Kind = LoggerMiddleware<Action, State>

    @usableFromInline let filter: (@Sendable (Action) -> Bool)?
    @usableFromInline let level: (@Sendable (Action) -> Logger.Level)?
    /// Whose levels are asked; nil: that printer has none, and takes everything.
    @usableFromInline let actionLogger: Logger?
    @usableFromInline let stateLogger: Logger?
    @usableFromInline let wantsStates: Bool

    let actionTransform: Kind.ActionTransform
    let actionPrinter: LogPrinter
    let stateDiffTransform: Kind.StateDiffTransform
    let stateDiffPrinter: LogPrinter
    let redaction: (@Sendable (String) -> String)?
    let sampling: LogSampling
    let rateLimit: LogRateLimit?
    let capacity: Int
    let queue: DispatchQueue
    let clock: @Sendable () -> Ticks
    let log: ActionLog

    init(
        actionTransform: Kind.ActionTransform,
        actionPrinter: LogPrinter,
        filter: (@Sendable (Action) -> Bool)?,
        stateDiffTransform: Kind.StateDiffTransform,
        stateDiffPrinter: LogPrinter,
        queue: DispatchQueue,
        level: (@Sendable (Action) -> Logger.Level)?,
        sampling: LogSampling,
        rateLimit: LogRateLimit?,
        redaction: (@Sendable (String) -> String)?,
        capacity: Int,
        log: ActionLog,
        clock: @escaping @Sendable () -> Ticks
    ) {
        self.actionTransform = actionTransform
        self.actionPrinter = actionPrinter
        self.filter = filter
        self.stateDiffTransform = stateDiffTransform
        self.stateDiffPrinter = stateDiffPrinter
        self.queue = queue
        self.level = level
        self.sampling = sampling
        self.rateLimit = rateLimit
        self.redaction = redaction
        self.capacity = capacity
        self.log = log
        self.clock = clock
        actionLogger = actionPrinter.logger
        stateLogger = stateDiffPrinter.logger
        wantsStates = !stateDiffTransform.isOff
    }

    /// Whether the printer of actions takes this level now. It may change its mind at any time, so it is asked each
    /// time.
    @inlinable
    func printsActions(at level: Logger.Level) -> Bool {
        guard let actionLogger else { return true }
        return actionLogger.logLevel <= level
    }

    @inlinable
    func printsStates(at level: Logger.Level) -> Bool {
        guard wantsStates else { return false }
        guard let stateLogger else { return true }
        return stateLogger.logLevel <= level
    }
}
