// SPDX-License-Identifier: Apache-2.0

/// The lists of the page. Each row has a text, a bar and figures.
extension LogPage {
    /// A row of a list.
    private struct Row {
        /// The text as HTML.
        var name: String
        var count: UInt64
        var bytes: UInt64?
        var colour = "--c0"
    }

    var statusSection: String {
        let rows = report.statuses.map { status, count in
            Row(
                name: "\(status) <small>\(Self.meaning(status))</small>",
                count: count,
                colour: Self.classColours[max(1, status / 100) - 1]
            )
        }
        let methods = self.rows(of: report.state.methods)
        return """
            <section class="pair"><div><h2>Statuses</h2>\(split)\(list("status", rows))</div>\
            <div><h2>Methods</h2>\(list("method", methods))</div></section>

            """
    }

    /// One bar with a part for each class of statuses, and the key to its colours.
    private var split: String {
        let total = Double(max(1, report.state.events))
        var place = 0.0
        var shapes = ""
        var keys = ""
        for digit in 0..<5 {
            let count = report.state.statuses[(digit * 100 + 100)..<(digit * 100 + 200)].reduce(0, &+)
            guard count > 0 else { continue }
            let width = Double(count) / total * 100
            shapes += "<rect x=\"\(Self.decimal(place))\" width=\"\(Self.decimal(max(width, 0.3)))\" height=\"10\" "
            shapes += "fill=\"var(\(Self.classColours[digit]))\"/>"
            keys += "<span><i class=\"dot\" style=\"background:var(\(Self.classColours[digit]))\"></i>"
            keys += "\(Self.classNames[digit]) <b>\(Figures.share(count, of: report.state.events))</b></span>"
            place += width
        }
        return """
            <svg class="share" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" \
            aria-label="Statuses by class">\(shapes)</svg><div class="key">\(keys)</div>
            """
    }

    var pathSection: String {
        section("Paths", "path", rows(of: report.state.paths, bytes: traffic.pathBytes), other: report.state.paths)
    }

    var missingSection: String {
        let paths = report.state.paths
        let rows = traffic.pathMissing.indices.dropFirst().filter { traffic.pathMissing[$0] > 0 }
            .map { (place: $0, count: traffic.pathMissing[$0]) }
            .sorted { ($1.count, paths.texts[$0.place]) < ($0.count, paths.texts[$1.place]) }
            .prefix(top).map { Row(name: HTMLText.of(paths.texts[$0.place]), count: $0.count, colour: "--wait") }
        return rows.isEmpty ? "" : section("Not found (404)", "path", rows)
    }

    var hostSection: String {
        section("Hosts", "address", rows(of: report.state.hosts, bytes: traffic.hostBytes), other: report.state.hosts)
    }

    var siteSection: String { clientSection("Virtual hosts", "host", \.site) }

    var refererSection: String { clientSection("Referers", "referer", \.referer) }

    var agentSection: String { clientSection("User agents", "agent", \.agent) }

    /// Returns the list of one part of the client texts; empty if no line has that part.
    private func clientSection(
        _ title: String,
        _ head: String,
        _ part: KeyPath<(agent: KeyText, referer: KeyText, site: KeyText), KeyText>
    ) -> String {
        var counts: [KeyText: UInt64] = [:]
        for (text, count) in zip(traffic.clients.texts, traffic.clients.counts).dropFirst() where count > 0 {
            let text = ClientText.parts(of: text)[keyPath: part]
            if !text.bytes.isEmpty, text.bytes != [Byte.dash] { counts[text, default: 0] &+= count }
        }
        guard !counts.isEmpty else { return "" }
        let rows = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(top)
            .map { Row(name: HTMLText.of($0.key), count: $0.value) }
        return section(title, head, rows, other: traffic.clients)
    }

    var malformedSection: String {
        let state = report.state
        guard state.malformed > 0 else { return "" }
        let rows = report.reasons.map { Row(name: HTMLText.of($0.reason.words), count: $0.count, colour: "--c3") }
        var text = "<section><h2>Malformed lines</h2>\(list("reason", rows, of: state.malformed))<ul class=\"plain\">"
        for sample in state.ledger.samples {
            let name = HTMLText.of(KeyText(bytes: Array(report.inputs[sample.input].utf8)))
            text += "<li>line \(grouped(sample.line)) of \(name): \(HTMLText.of(sample.reason.words))</li>"
        }
        return text + "</ul></section>\n"
    }

    private func rows(of table: KeyTable, bytes: ContiguousArray<UInt64>? = nil) -> [Row] {
        table.topPlaces(top).map { place in
            Row(
                name: HTMLText.of(table.texts[place]),
                count: table.counts[place],
                bytes: bytes.map { place < $0.count ? $0[place] : 0 }
            )
        }
    }

    private func section(_ title: String, _ head: String, _ rows: [Row], other: KeyTable? = nil) -> String {
        var text = "<section><h2>\(title)</h2>\(list(head, rows))"
        if let other, other.other > 0 {
            text += "<p class=\"none\">and \(grouped(other.other)) requests of others (see --max-keys)</p>"
        }
        return text + "</section>\n"
    }

    private func list(_ head: String, _ rows: [Row], of total: UInt64? = nil) -> String {
        let most = Double(rows.map(\.count).max() ?? 1)
        let hasBytes = rows.contains { $0.bytes != nil }
        var text = "<div class=\"wide\"><table class=\"list\"><thead><tr><th scope=\"col\">\(head)</th>"
        text +=
            "<th scope=\"col\">\(total == nil ? "requests" : "lines")</th><th scope=\"col\" class=\"more\">share</th>"
        text += "\(hasBytes ? "<th scope=\"col\">bytes</th>" : "")</tr></thead><tbody>\n"
        for row in rows {
            let width = Self.decimal(max(Double(row.count) / most * 100, 0.4))
            text += "<tr><td><div>\(row.name)</div><svg viewBox=\"0 0 100 1\" preserveAspectRatio=\"none\" "
            text +=
                "aria-hidden=\"true\"><rect width=\"\(width)\" height=\"1\" fill=\"var(\(row.colour))\"/></svg></td>"
            text += "<td>\(grouped(row.count))</td>"
            text += "<td class=\"more\">\(Figures.share(row.count, of: total ?? report.state.events))</td>"
            text += "\(row.bytes.map { "<td>\(Figures.bytes($0))</td>" } ?? "")</tr>\n"
        }
        return text + "</tbody></table></div>"
    }

    /// Returns the usual name of a status; an empty text if it has none here.
    private static func meaning(_ status: Int) -> String {
        [
            200: "OK", 201: "Created", 204: "No Content", 206: "Partial Content", 301: "Moved Permanently",
            302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect",
            400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
            408: "Request Timeout", 410: "Gone", 413: "Content Too Large", 416: "Range Not Satisfiable",
            429: "Too Many Requests", 499: "Client Closed Request", 500: "Internal Server Error",
            501: "Not Implemented",
            502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
        ][status] ?? ""
    }
}
