// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects
import Synchronization

/// Raises an alert when the share of failures in a minute of the log passes a rate, and takes it back when the minute
/// recovers: looked at whenever a chunk has been read, told when nothing was added to the minute for a while.
final class AlertWatch: Sendable {
    private let rate: AlertRate
    private let quiet: Duration
    /// What it knows of minutes, by their places.
    private struct Notes {
        /// How many events were looked at.
        var seen: [UInt64] = []
        /// Those with an alert that may wait. Most never have one, and nothing is to be cancelled.
        var waiting: Set<Int> = []
    }

    private let notes = Mutex(Notes())

    init(above rate: AlertRate, quiet: Duration = .milliseconds(100)) {
        self.rate = rate
        self.quiet = quiet
    }

    var middleware: AlertMiddleware {
        AlertMiddleware(
            .onAction { [self] action, _, state in
                switch action {
                case .chunkRead, .inputEnded: look(at: state())
                case .alert(let alert): check(Int(alert.minute), in: state())
                default: .doNothing
                }
            }
        )
    }

    private func look(at state: LogState) -> Effect<Void, LogAction> {
        let counts = state.minutes.counts
        return notes.withLock { notes in
            notes.seen.append(contentsOf: repeatElement(0, count: max(0, counts.count - notes.seen.count)))
            // Place 0 is of minutes that are not kept apart.
            let changed = counts.indices.dropFirst().filter { counts[$0] != notes.seen[$0] }
            for minute in changed { notes.seen[minute] = counts[minute] }
            let effects = changed.compactMap { effect(of: $0, in: state, &notes.waiting) }
            return effects.isEmpty ? .doNothing : .merge(effects)
        }
    }

    /// An alert may have waited in the queue behind the events by which its minute has recovered: who looked at those
    /// did not know of it yet.
    private func check(_ minute: Int, in state: LogState) -> Effect<Void, LogAction> {
        let alert = present(minute, in: state)
        return alert.isAbove(rate) ? .doNothing : .just(.recovered(alert))
    }

    private func present(_ minute: Int, in state: LogState) -> Alert {
        let failures = minute < state.failures.count ? state.failures[minute] : 0
        return Alert(
            text: state.minutes.texts[minute],
            events: state.minutes.counts[minute],
            failures: failures,
            minute: UInt32(minute)
        )
    }

    private func effect(
        of minute: Int,
        in state: LogState,
        _ waiting: inout Set<Int>
    ) -> Effect<Void, LogAction>? {
        let alert = present(minute, in: state)
        if alert.isAbove(rate) {
            waiting.insert(minute)
            return .just(.alert(alert)).debounce(for: quiet, token: minute)
        }
        let isWaiting = waiting.remove(minute) != nil
        let isRaised = state.alerts.contains { $0.minute == alert.minute }
        return isRaised ? .just(.recovered(alert)).withToken(minute) : isWaiting ? .toCancel(minute) : nil
    }
}
