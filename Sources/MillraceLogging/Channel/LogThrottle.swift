// SPDX-License-Identifier: Apache-2.0

internal import MillraceRuntime

/// The sampling and the rate limit of one pipeline.
struct LogThrottle {
    enum Verdict {
        case admitted, sampledOut, limited
    }

    private let sampling: LogSampling
    private let limit: LogRateLimit?
    private let second: UInt64
    /// The ticks that each action uses of the limit.
    private let ticksPerAction: UInt64

    private var untilNext = 0
    private var secondBegan: UInt64?
    private var inSecond = 0
    /// The time at which the limit's bucket will be full again. A time in the past means that it is full.
    private var full: UInt64 = 0
    private var ticks: SteadyTicks

    init(sampling: LogSampling, limit: LogRateLimit?) {
        self.sampling = sampling
        self.limit = limit
        var needsClock = limit != nil
        if case .firstPerSecond = sampling { needsClock = true }
        // Converted here, because the first conversion takes milliseconds.
        second = needsClock ? Ticks.count(in: .seconds(1)) : 1
        ticksPerAction = max(1, second / UInt64(max(1, limit?.perSecond ?? 1)))
        ticks = SteadyTicks(tolerance: second / 1_000_000)
    }

    /// Whether all actions are admitted.
    var isOpen: Bool { sampling == .all && limit == nil }

    mutating func verdict(at now: () -> Ticks) -> Verdict {
        switch sampling {
        case .all:
            return isWithinLimit(now) ? .admitted : .limited
        case .oneIn(let count):
            defer { untilNext = untilNext > 0 ? untilNext - 1 : max(1, count) - 1 }
            guard untilNext == 0 else { return .sampledOut }
            return isWithinLimit(now) ? .admitted : .limited
        case .firstPerSecond(let count):
            let now = now()
            let time = ticks.time(of: now)
            if let began = secondBegan, time - began < second {
                guard inSecond < count else { return .sampledOut }
                inSecond += 1
            } else {
                (secondBegan, inSecond) = (time, 1)
                guard count > 0 else { return .sampledOut }
            }
            return isWithinLimit { now } ? .admitted : .limited
        }
    }

    /// Takes a token from a bucket of `burst` tokens, which is represented by the time when it will be full.
    private mutating func isWithinLimit(_ now: () -> Ticks) -> Bool {
        guard let limit else { return true }
        guard limit.perSecond > 0 else { return false }
        let now = ticks.time(of: now())
        let from = max(full, now)
        let (debt, tooMuch) = ticksPerAction.multipliedReportingOverflow(by: UInt64(max(1, limit.burst) - 1))
        guard tooMuch || from - now <= debt else { return false }
        full = from &+ ticksPerAction
        return true
    }
}
