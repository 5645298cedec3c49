// SPDX-License-Identifier: Apache-2.0

/// A clock whose time passes when a test says so.
///
/// ```swift
/// let clock = ManualClock()
/// let nap = Task { try await clock.sleep(for: .seconds(1)) }
/// clock.advance(by: .seconds(1))      // wakes it, or finds that it need not sleep
/// ```
public final class ManualClock: Clock, Sendable {
    /// A moment, as the time since the clock was made.
    public struct Instant: InstantProtocol {
        let offset: Duration

        /// A later moment.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// How long it is until another one.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Earlier ones first.
        public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
    }

    private struct Sleeper {
        let deadline: Instant
        let wake: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var lastNumber = 0
        var sleepers: [Int: Sleeper] = [:]
        /// Cancelled before they slept.
        var cancelled: Set<Int> = []
    }

    private let state = Shared(State())

    /// A clock that shows zero.
    public init() {}

    /// The time.
    public var now: Instant { state.value.now }

    /// The smallest step there is.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// How many sleep.
    public var sleepers: Int { state.value.sleepers.count }

    /// Lets time pass, and wakes those whose time has come, the earliest first.
    public func advance(by duration: Duration) {
        let due = state.update { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in due { sleeper.wake.resume(returning: true) }
    }

    /// Returns when the time has come; throws when the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        let number = state.update { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let isOver = await withTaskCancellationHandler {
            await withCheckedContinuation { task in
                let result: Bool? = state.update { state in
                    if state.cancelled.remove(number) != nil { return false }
                    if deadline <= state.now { return true }
                    state.sleepers[number] = Sleeper(deadline: deadline, wake: task)
                    return nil
                }
                if let result { task.resume(returning: result) }
            }
        } onCancel: {
            let sleeper = state.update { state in
                let sleeper = state.sleepers.removeValue(forKey: number)
                if sleeper == nil { state.cancelled.insert(number) }
                return sleeper
            }
            sleeper?.wake.resume(returning: false)
        }
        if !isOver { throw CancellationError() }
    }

    /// Returns when so many sleep, or when the test is stopped.
    public func waitForSleepers(_ count: Int) async {
        while sleepers != count, !Task.isCancelled { await Task.yield() }
    }
}
