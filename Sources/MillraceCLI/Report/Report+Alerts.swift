// SPDX-License-Identifier: Apache-2.0

extension Report {
    /// The alerts, sorted by minute.
    private var alerts: [Alert] { state.alerts.sorted { KeyText.precedes($0.text, $1.text) } }

    /// The alerts as text; empty without `--alert`.
    var alertList: String {
        guard let alertRate else { return "" }
        let alerts = alerts
        var table = TextTable("Alerts: minutes in which more than \(alertRate) failed (404 or 5xx)", "lrr")
        for alert in alerts.prefix(top) {
            table.add(
                alert.text.printable,
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
            alerts.map { alert in
                .object([
                    ("minute", .text(alert.text.repaired)),
                    ("events", .number(alert.events)),
                    ("failures", .number(alert.failures)),
                ])
            }
        )
    }
}
