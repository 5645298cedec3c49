// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
public import Logging
internal import MillraceCore
internal import MillraceRuntime

/// The options of a logger. They are the same for every store that the logger is in.
@usableFromInline
final class LogOptions<Action, State>: Sendable {
    @usableFromInline typealias Kind = LoggerMiddleware<Action, State>

    /// False if the printer has no level and accepts everything.
    @usableFromInline let asksActionLevel: Bool
    @usableFromInline let actionLevel: @Sendable () -> Logger.Level
    @usableFromInline let wantsStates: Bool
    let wantsBefore: Bool
    @usableFromInline let asksStateLevel: Bool
    @usableFromInline let stateLevel: @Sendable () -> Logger.Level

    let actionTransform: Kind.ActionTransform
    let actionPrinter: LogPrinter
    let stateDiffTransform: Kind.StateDiffTransform
    let stateDiffPrinter: LogPrinter
    let redaction: (@Sendable (String) -> String)?
    let sampling: LogSampling
    let rateLimit: LogRateLimit?
    let capacity: Int
    let memory: LogMemoryLimit
    let queue: DispatchQueue
    private let clock: (@Sendable () -> Ticks)?
    let log: ActionLog

    init(
        actionTransform: Kind.ActionTransform,
        actionPrinter: LogPrinter,
        stateDiffTransform: Kind.StateDiffTransform,
        stateDiffPrinter: LogPrinter,
        queue: DispatchQueue,
        sampling: LogSampling,
        rateLimit: LogRateLimit?,
        redaction: (@Sendable (String) -> String)?,
        capacity: Int,
        memory: LogMemoryLimit,
        log: ActionLog,
        clock: (@Sendable () -> Ticks)?
    ) {
        self.actionTransform = actionTransform
        self.actionPrinter = actionPrinter
        self.stateDiffTransform = stateDiffTransform
        self.stateDiffPrinter = stateDiffPrinter
        self.queue = queue
        self.sampling = sampling
        self.rateLimit = rateLimit
        self.redaction = redaction
        self.capacity = capacity
        self.memory = memory
        self.log = log
        self.clock = clock
        asksActionLevel = actionPrinter.level != nil
        actionLevel = actionPrinter.level ?? { .trace }
        asksStateLevel = stateDiffPrinter.level != nil
        stateLevel = stateDiffPrinter.level ?? { .trace }
        wantsStates = !stateDiffTransform.isOff
        wantsBefore = stateDiffTransform.wantsBefore
    }

    /// Returns the chosen clock, or else that of the simulated world, or else that of the system.
    func clock(in world: (any StoreWorld)?) -> @Sendable () -> Ticks {
        if let clock { return clock }
        guard let world else { return { .now } }
        return { Ticks(rawValue: Ticks.count(in: .nanoseconds(Int64(clamping: world.nanoseconds)))) }
    }

    /// Returns whether the printer of actions accepts this level now. The level of a printer may change at any time, so
    /// it is read each time.
    @inlinable
    func printsActions(at level: Logger.Level) -> Bool {
        !asksActionLevel || actionLevel() <= level
    }

    @inlinable
    func printsStates(at level: Logger.Level) -> Bool {
        wantsStates && (!asksStateLevel || stateLevel() <= level)
    }
}
