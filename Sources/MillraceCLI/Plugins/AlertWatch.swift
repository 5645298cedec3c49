// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects

/// Raises an alert when the share of failures in a minute of the log exceeds a rate, and withdraws it when the minute
/// recovers.
///
/// It checks the minutes whenever a chunk has been read. It raises an alert when the minute got no events for a while.
final class AlertWatch: Sendable {
    private let rate: AlertRate
    private let schedule: AlertSchedule

    init(above rate: AlertRate, quiet: Duration = .milliseconds(100)) {
        self.rate = rate
        schedule = AlertSchedule(quiet: quiet)
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

    /// Checks the minutes that have changed, and no others: a log may have a million of them.
    private func look(at state: LogState) -> Effect<Void, LogAction> {
        let effects = state.changedMinutes.compactMap { effect(of: Int($0), in: state) }
        return effects.isEmpty ? .doNothing : .merge(effects)
    }

    /// Withdraws an alert whose minute has recovered already. The events of the recovery may have come before the alert
    /// in the queue: then the check after them did not see the alert.
    private func check(_ minute: Int, in state: LogState) -> Effect<Void, LogAction> {
        let alert = present(minute, in: state)
        return alert.isAbove(rate) ? .doNothing : .just(.recovered(alert))
    }

    /// The actions that make the alerts of a state agree with its counts. Call it while no effect runs.
    func corrections(of state: borrowing LogState) -> [LogAction] {
        (1..<state.minutes.texts.count).compactMap { minute in
            let alert = present(minute, in: state)
            let raised = state.raisedAlert(alert.minute)
            if alert.isAbove(rate) { return raised == alert ? nil : .alert(alert) }
            return raised == nil ? nil : .recovered(alert)
        }
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

    private func effect(of minute: Int, in state: LogState) -> Effect<Void, LogAction>? {
        let alert = present(minute, in: state)
        guard !alert.isAbove(rate) else {
            let schedule = schedule
            return schedule.put(alert) ? .stream { _ in DueAlerts(schedule: schedule) } : nil
        }
        schedule.remove(alert.minute)
        return state.raisedAlert(alert.minute) == nil ? nil : .just(.recovered(alert))
    }
}
