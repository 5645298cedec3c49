// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceInstrumentation

/// Writes the report of a log as one HTML page: visitors, requests by status and bytes over time; lists of statuses,
/// methods, paths, hosts, virtual hosts, referers and agents; malformed lines.
///
/// The page loads no other file. It is light or dark, as the reader's system is, and fits the screen of a phone.
/// Pictures and tables need no script. A script shows the figures of the column under the pointer.
struct LogPage: InstrumentationReport {
    let report: Report
    let traffic: Traffic
    let series: TimeSeries?
    /// Where the page of the pipeline is; nil if there is none.
    let pipelinePage: PipelinePage?
    /// The most entries in a list.
    let top: Int

    init(_ report: Report, _ traffic: Traffic, pipelinePage: PipelinePage? = nil) {
        self.report = report
        self.traffic = traffic
        self.pipelinePage = pipelinePage
        series = TimeSeries(traffic)
        top = max(report.top, 20)
    }

    func write<Target: TextOutputStream>(to target: inout Target) {
        let title = HTMLText.of(report.title)
        target.write(
            """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta http-equiv="Content-Security-Policy" \
            content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
            <title>\(title)</title>
            <style>
            \(Page.style)
            \(Self.style)
            </style>
            </head>
            <body>
            <header><h1>\(title)</h1><p>\(headline)</p></header>
            <main>

            """
        )
        for section in [
            tiles, timeSection, statusSection, pathSection, missingSection, hostSection, siteSection, refererSection,
            agentSection, malformedSection,
        ] { target.write(section) }
        target.write("</main>\n<footer>\(footer)</footer>\n<div id=\"tip\" role=\"status\" hidden></div>\n")
        target.write("<script type=\"application/json\" id=\"data\">\(data)</script>\n<script>\n\"use strict\";\n")
        target.write("\(Page.tools)\n\(Self.script)\n</script>\n</body>\n</html>\n")
    }

    private var headline: String {
        var parts: [String] = []
        let moments = traffic.minutes.compactMap(\.moment)
        if let first = moments.min(), let last = moments.max() {
            parts.append("\(TimeAxis.moment(first)) to \(TimeAxis.moment(last)) UTC")
        }
        parts += report.formats.isEmpty ? [] : [HTMLText.of(report.formats.joined(separator: ", "))]
        if report.isInterrupted { parts.append("interrupted: the report so far") }
        if let pipelinePage {
            parts.append("<a href=\"\(pipelinePage.address)\">How the pipeline ran</a>")
        }
        return parts.joined(separator: " · ")
    }

    private var tiles: String {
        let state = report.state
        let failed = state.statuses[500...].reduce(0, &+)
        let missing = state.statuses[404]
        let tiles = [
            (grouped(traffic.visitors.total), "visitors"), (grouped(report.parsed), "requests"),
            (Figures.bytes(state.bytes), "sent"), (grouped(UInt64(state.paths.distinct)), "paths"),
            (grouped(UInt64(state.hosts.distinct)), "hosts"), (grouped(missing), "not found"),
            (grouped(failed), "server errors"), (grouped(state.malformed), "malformed lines"),
        ]
        let text = tiles.map { "<div class=\"tile\"><b>\($0)</b><span>\($1)</span></div>" }
        return "<section class=\"tiles\">\(text.joined())</section>\n"
    }

    func grouped(_ number: UInt64) -> String { Figures.grouped(number) }

    private var footer: String {
        var text = """
            Times are UTC. A visitor is one client address with one user agent on one day that got an answer other than \
            4xx; robots are visitors, too. \
            "Hosts" are the addresses of clients. Bytes are those of the log's size field.
            """
        if traffic.visitors.uncounted > 0 {
            text += " \(grouped(traffic.visitors.uncounted)) requests are of clients beyond --max-keys, "
            text += "so there were more visitors."
        }
        let missing = report.metrics.dropped &+ report.metrics.rejected
        if missing > 0 { text += " \(grouped(missing)) requests were dropped (--overflow) and are not in the tables." }
        return text + " Made by millrace \(MillraceCommand.version)."
    }
}
