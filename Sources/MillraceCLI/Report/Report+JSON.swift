// SPDX-License-Identifier: Apache-2.0

import Millrace

extension Report {
    /// The report as JSON: one object.
    var json: String {
        JSONValue.object([
            ("lines", .number(state.lines)),
            ("events", .number(parsed)),
            ("counted", .number(state.events)),
            ("dropped", .number(metrics.dropped)),
            ("rejected", .number(metrics.rejected)),
            ("malformed", .number(state.malformed)),
            ("directives", .number(state.directives)),
            ("formats", .array(formats.map(JSONValue.text))),
            ("bytes", .number(state.bytes)),
            ("interrupted", .flag(isInterrupted)),
            ("seconds", .decimal((seconds * 1e6).rounded() / 1e6)),
            ("eventsPerSecond", .decimal(rate(parsed).rounded())),
            ("linesPerSecond", .decimal(rate(state.lines).rounded())),
            ("actionsPerSecond", .decimal(rate(metrics.reduced).rounded())),
            ("status", entries(statuses.map { ("\($0.status)", $0.count) })),
            ("methods", entries(state.methods.top(.max))),
            ("minutes", entries(state.minutes.sortedByKey())),
            ("topPaths", entries(state.paths.top(top))),
            ("topHosts", entries(state.hosts.top(top))),
            ("distinctPaths", .number(UInt64(state.paths.distinct))),
            ("distinctHosts", .number(UInt64(state.hosts.distinct))),
            ("otherPaths", .number(state.paths.other)),
            ("otherHosts", .number(state.hosts.other)),
            ("otherMethods", .number(state.methods.other)),
            ("otherMinutes", .number(state.minutes.other)),
            ("alerts", alertArray),
            ("malformedReasons", entries(reasons.map { ($0.reason.name, $0.count) })),
            ("malformedLines", .array(state.ledger.samples.map(sample))),
            ("engine", .text(setup.engine.rawValue)),
            ("shards", .number(UInt64(setup.shards))),
            ("capacity", .number(UInt64(setup.capacity))),
            ("overflow", .text(setup.overflow.rawValue)),
            ("metrics", metricsObject),
            ("stages", stageArray),
        ]).text() + "\n"
    }

    private func entries(_ counts: [KeyCount]) -> JSONValue {
        entries(counts.map { ($0.key.repaired, $0.count) })
    }

    private func entries(_ counts: [(String, UInt64)]) -> JSONValue {
        .array(counts.map { .object([("key", .text($0.0)), ("count", .number($0.1))]) })
    }

    private func sample(_ line: LineLedger.Sample) -> JSONValue {
        .object([
            ("input", .text(inputs[line.input])), ("line", .number(line.line)), ("reason", .text(line.reason.name)),
        ])
    }

    private var metricsObject: JSONValue {
        .object([
            ("offered", .number(metrics.offered)), ("reduced", .number(metrics.reduced)),
            ("dropped", .number(metrics.dropped)), ("rejected", .number(metrics.rejected)),
            ("cancelled", .number(metrics.cancelled)), ("pending", .number(metrics.pending)),
            ("highWaterMark", .number(metrics.highWaterMark)),
            ("batches", .number(metrics.batches)), ("wakeUps", .number(metrics.wakeUps)),
        ])
    }
}
