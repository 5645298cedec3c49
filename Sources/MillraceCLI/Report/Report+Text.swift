// SPDX-License-Identifier: Apache-2.0

import Millrace

extension Report {
    /// The report as text.
    var text: String {
        var text = "\(title)\(isInterrupted ? " (interrupted: the report so far)" : "")\n\n"
        text += totals + codes + list("Top paths", state.paths) + list("Top hosts", state.hosts)
        text += list("Busiest minutes (UTC)", state.minutes) + alertList + malformedLines + queue + stageTable
        return String(text.dropLast())
    }

    private var totals: String {
        var table = TextTable("Totals", "lrl")
        table.add("lines", Figures.grouped(state.lines), "\(Figures.fixed(rate(state.lines), 0)) a second")
        table.add("events", Figures.grouped(parsed), Figures.share(parsed, of: state.lines))
        if state.events != parsed {
            table.add("  counted", Figures.grouped(state.events), Figures.share(state.events, of: parsed))
            let missing = metrics.dropped &+ metrics.rejected
            table.add("  missing", Figures.grouped(missing), "\(Figures.share(missing, of: parsed)) (see Queue)")
        }
        table.add("malformed", Figures.grouped(state.malformed), Figures.share(state.malformed, of: state.lines))
        if state.directives > 0 {
            table.add("directives", Figures.grouped(state.directives), "lines that begin with #")
        }
        table.add("bytes sent", Figures.grouped(state.bytes), Figures.bytes(state.bytes))
        table.add("paths", Figures.grouped(UInt64(state.paths.distinct)), folded(state.paths))
        table.add("hosts", Figures.grouped(UInt64(state.hosts.distinct)), folded(state.hosts))
        table.add("seconds", Figures.fixed(seconds, 3), "")
        for format in formats { table.add("format", "", KeyText(bytes: Array(format.utf8)).printable) }
        return table.text
    }

    private func folded(_ table: KeyTable) -> String {
        table.other == 0 ? "" : "and \(Figures.grouped(table.other)) events of others (see --max-keys)"
    }

    private var codes: String {
        var status = TextTable("Status", "rrr")
        for (code, count) in statuses {
            status.add("\(code)", Figures.grouped(count), Figures.share(count, of: state.events))
        }
        return status.text + list("Methods", state.methods)
    }

    private func list(_ title: String, _ counts: KeyTable) -> String {
        var table = TextTable(title, "rrl")
        for entry in counts.top(top) {
            let share = Figures.share(entry.count, of: state.events)
            table.add(Figures.grouped(entry.count), share, entry.key.printable)
        }
        if counts.other > 0 {
            table.add(Figures.grouped(counts.other), Figures.share(counts.other, of: state.events), "(other)")
        }
        return table.text
    }

    private var malformedLines: String {
        var table = TextTable("Malformed lines", "rl")
        for (reason, count) in reasons { table.add(Figures.grouped(count), reason.words) }
        var first = TextTable("The first of them", "rl")
        for sample in state.ledger.samples {
            let name = KeyText(bytes: Array(inputs[sample.input].utf8)).printable
            let place = inputs.count > 1 ? " (\(name))" : ""
            first.add("line \(Figures.grouped(sample.line))", sample.reason.words + place)
        }
        return table.text + first.text
    }

    private var queue: String {
        var table = TextTable("Queue", "lrl")
        table.add("offered", Figures.grouped(metrics.offered), "actions")
        table.add("reduced", Figures.grouped(metrics.reduced), "\(Figures.fixed(rate(metrics.reduced), 0)) a second")
        for (name, count) in [
            ("dropped", metrics.dropped), ("rejected", metrics.rejected), ("cancelled", metrics.cancelled),
            ("pending", metrics.pending),
        ] { table.add(name, Figures.grouped(count), "") }
        table.add(
            "capacity",
            Figures.grouped(UInt64(setup.capacity)),
            "\(shards), overflow: \(setup.overflow.rawValue)"
        )
        table.add("high-water mark", Figures.grouped(metrics.highWaterMark), "")
        let size = metrics.batches > 0 ? Double(metrics.reduced) / Double(metrics.batches) : 0
        table.add("batches", Figures.grouped(metrics.batches), "\(Figures.fixed(size, 0)) actions each")
        table.add("wake-ups", Figures.grouped(metrics.wakeUps), "")
        return table.text
    }

    private var shards: String { setup.shards == 1 ? "actions" : "actions in each of \(setup.shards) shards" }
}
