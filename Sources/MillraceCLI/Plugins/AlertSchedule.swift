// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Alerts that wait until nothing was added to their minutes for a while. One effect tells of all of them: a timer for
/// each costs a task, and a log may have an alert for each of a million minutes.
///
/// The pipeline puts alerts in and takes them out, the task of the effect waits for the first that is due. All minutes
/// wait for equally long, so the first that was put in is the first that is due.
final class AlertSchedule: Sendable {
    fileprivate struct Entry {
        let minute: UInt32
        let due: ContinuousClock.Instant
    }

    fileprivate struct State {
        /// What waits, by minute.
        var waiting: [UInt32: (alert: Alert, due: ContinuousClock.Instant)] = [:]
        /// In the order in which they are due, from `first` on. One that was put in anew, or taken out, stays behind: its
        /// time is not that of what waits.
        var order: [Entry] = []
        var first = 0
        /// Whether a task waits for them, and what it sleeps in.
        var isWatched = false
        var sleep: Task<Void, Never>?
    }

    private let quiet: Duration
    private let state = Mutex(State())

    init(quiet: Duration) {
        self.quiet = quiet
    }

    /// Has an alert wait, from now, in the place of one of the same minute. Returns whether a new task is to tell of it:
    /// ``DueAlerts``.
    func put(_ alert: Alert) -> Bool {
        let due = ContinuousClock.now + quiet
        return state.withLock { state in
            state.waiting[alert.minute] = (alert, due)
            state.order.append(Entry(minute: alert.minute, due: due))
            defer { state.isWatched = true }
            return !state.isWatched
        }
    }

    /// Takes out the alert of a minute, if one waits. The task ends when there is no other.
    func remove(_ minute: UInt32) {
        let sleep = state.withLock { state in
            let found = state.waiting.removeValue(forKey: minute)
            return found != nil && state.waiting.isEmpty ? state.sleep : nil
        }
        sleep?.cancel()
    }

    /// The next alert, once it is due; nil when none waits.
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
    /// Takes the first one if it is due.
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

/// The alerts of a schedule as they are due, until none waits.
struct DueAlerts: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let schedule: AlertSchedule

    func makeAsyncIterator() -> DueAlerts { self }

    func next() async -> LogAction? { await schedule.next().map(LogAction.alert) }
}
