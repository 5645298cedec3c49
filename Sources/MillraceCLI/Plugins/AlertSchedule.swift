// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The alerts that wait until their minutes got no events for a while. One effect dispatches all of them: a timer for
/// each would need a task, and a log may have an alert for each of a million minutes.
///
/// The pipeline adds and removes alerts. The task of the effect waits for the first alert that is due. All alerts wait
/// equally long, so they are due in the order in which they were added.
final class AlertSchedule: Sendable {
    fileprivate struct Entry {
        let minute: UInt32
        let due: ContinuousClock.Instant
    }

    fileprivate struct State {
        /// The alerts that wait, by minute.
        var waiting: [UInt32: (alert: Alert, due: ContinuousClock.Instant)] = [:]
        /// The alerts in the order in which they are due, from `first` on. If an alert was removed or added again, its
        /// old entry stays here, but no waiting alert has the time of that entry.
        var order: [Entry] = []
        var first = 0
        /// Whether a task waits for the alerts, and the task in which it sleeps.
        var isWatched = false
        var sleep: Task<Void, Never>?
    }

    private let quiet: Duration
    private let state = Mutex(State())

    init(quiet: Duration) {
        self.quiet = quiet
    }

    /// Makes an alert wait from now on, and replaces an alert of the same minute. Returns whether the caller must start
    /// a new task for ``DueAlerts``.
    func put(_ alert: Alert) -> Bool {
        let due = ContinuousClock.now + quiet
        return state.withLock { state in
            state.waiting[alert.minute] = (alert, due)
            state.order.append(Entry(minute: alert.minute, due: due))
            defer { state.isWatched = true }
            return !state.isWatched
        }
    }

    /// Removes the alert of a minute if it waits. If no other alert waits, the task ends.
    func remove(_ minute: UInt32) {
        let sleep = state.withLock { state in
            let found = state.waiting.removeValue(forKey: minute)
            return found != nil && state.waiting.isEmpty ? state.sleep : nil
        }
        sleep?.cancel()
    }

    /// Waits until the next alert is due and returns it; nil if none waits.
    fileprivate func next() async -> Alert? {
        while !Task.isCancelled {
            switch state.withLock({ $0.next(at: .now) }) {
            case .due(let alert): return alert
            case .none: return nil
            case .wait(let sleep):
                await withTaskCancellationHandler {
                    await sleep.value
                } onCancel: {
                    sleep.cancel()
                }
            }
        }
        return nil
    }

    fileprivate enum Next {
        case due(Alert)
        case wait(Task<Void, Never>)
        case none
    }
}

extension AlertSchedule.State {
    /// Removes and returns the first alert if it is due.
    fileprivate mutating func next(at now: ContinuousClock.Instant) -> AlertSchedule.Next {
        sleep = nil
        while first < order.count {
            let entry = order[first]
            guard let found = waiting[entry.minute], found.due == entry.due else {
                first += 1
                continue
            }
            guard entry.due <= now else {
                if first > order.count / 2 {
                    order.removeFirst(first)
                    first = 0
                }
                let task = Task { _ = try? await Task.sleep(until: entry.due, clock: .continuous) }
                sleep = task
                return .wait(task)
            }
            first += 1
            waiting[entry.minute] = nil
            return .due(found.alert)
        }
        (order, first, isWatched) = ([], 0, false)
        return .none
    }
}

/// The alerts of a schedule, each when it is due, until none waits.
struct DueAlerts: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let schedule: AlertSchedule

    func makeAsyncIterator() -> DueAlerts { self }

    func next() async -> LogAction? { await schedule.next().map(LogAction.alert) }
}
