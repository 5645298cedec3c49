// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// What `millrace run` does beside counting, each part by a plugin on its stores.
struct PluginOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Write where the time went, as a page for a browser.", valueName: "file.html"))
    var report: String?

    @Option(help: ArgumentHelp("Write what was measured as a trace for ui.perfetto.dev.", valueName: "file.json"))
    var trace: String?

    @Option(help: ArgumentHelp("Write each histogram as a .hgrm file into this directory.", valueName: "dir"))
    var hgrm: String?

    @Option(help: ArgumentHelp("Write the histograms in Prometheus' text format.", valueName: "file"))
    var prometheus: String?

    @Option(
        help: ArgumentHelp(
            "Keep the last actions in this file: 'millrace breadcrumbs' reads it, also after a crash.",
            valueName: "file"
        )
    )
    var recorder: String?

    @Option(help: ArgumentHelp("Log actions to this file. SIGUSR1 turns it off, and on again.", valueName: "file"))
    var log: String?

    @Option(help: "Which actions are logged: trace, debug, info, notice, warning or error. (default: info)")
    var logLevel: LogLevelChoice?

    @Option(
        help: ArgumentHelp(
            "Tell of minutes in which more than this share of the requests failed (404, 5xx): 0.05 or 5%.",
            valueName: "rate"
        )
    )
    var alert: AlertRate?

    @Option(
        help: ArgumentHelp("Leave a plugin out: \(PluginName.list). May be given more than once.", valueName: "name")
    )
    var disable: [PluginName] = []

    func isEnabled(_ plugin: PluginName) -> Bool { !disable.contains(plugin) }

    /// Whether they go together, and with the stores.
    func check(_ setup: StoreSetup) throws {
        let measured = [
            ("--report", report), ("--trace", trace), ("--hgrm", hgrm), ("--prometheus", prometheus),
            ("--recorder", recorder),
        ].filter { $0.1 != nil }.map(\.0)
        if let option = measured.first, !isEnabled(.instrumentation) {
            throw ValidationError("\(option) needs the instrumentation: leave out --disable instrumentation.")
        }
        if setup.shards > 1, let option = measured.first ?? (alert == nil ? nil : "--alert") {
            throw ValidationError("\(option) tells of one store: it cannot go with --shards.")
        }
        // Alerts wait in the queue with the events, and nothing but events may be thrown away.
        if setup.overflow.isLossy, alert != nil {
            throw ValidationError(
                "--alert could lose an alert: it cannot go with --overflow \(setup.overflow.rawValue)."
            )
        }
        if logLevel != nil, log == nil { throw ValidationError("--log-level needs --log: say which file.") }
    }
}

/// The plugins of `millrace run`, by the names that `--disable` takes.
enum PluginName: String, CaseIterable, ExpressibleByArgument, Sendable {
    case instrumentation, recorder, log, alert

    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

/// The levels that `--log-level` offers.
enum LogLevelChoice: String, CaseIterable, ExpressibleByArgument, Sendable {
    case trace, debug, info, notice, warning, error
}
