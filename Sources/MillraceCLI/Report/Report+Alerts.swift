// SPDX-License-Identifier: Apache-2.0

extension Report {
    /// The alerts by minute.
    private var alerts: [(minute: KeyText, alert: Alert)] {
        state.alerts.map { (state.minutes.texts[$0.minute], $0) }
            .sorted { KeyText.precedes($0.minute, $1.minute) }
    }

    /// The alerts for people. Nothing without `--alert`.
    var alertList: String {
        guard let alertRate else { return "" }
        var table = TextTable("Alerts: minutes in which more than \(alertRate) failed (404 or 5xx)", "lrr")
        for (minute, alert) in alerts.prefix(top) {
            table.add(
                minute.printable,
                "\(Figures.grouped(alert.failures)) of \(Figures.grouped(alert.events))",
                Figures.share(alert.failures, of: alert.events)
            )
        }
        if alerts.isEmpty { table.add("none", "", "") }
        if alerts.count > top { table.add("and \(Figures.grouped(UInt64(alerts.count - top))) more", "", "") }
        return table.text
    }

    var alertArray: JSONValue {
        .array(
            alerts.map { minute, alert in
                .object([
                    ("minute", .text(minute.repaired)),
                    ("events", .number(alert.events)),
                    ("failures", .number(alert.failures)),
                ])
            }
        )
    }
}
