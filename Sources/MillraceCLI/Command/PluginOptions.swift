// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The options of what `millrace run` does besides counting. A plugin of its stores does each part.
struct PluginOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write the log as a page for a browser, and beside it where the time went: FILE.pipeline.html.",
            valueName: "file.html"
        )
    )
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
        // A negative number is an invalid value, not an option.
        parsing: .unconditional,
        help: ArgumentHelp(
            "Tell of minutes in which more than this share of the requests failed (404, 5xx): 0.05 or 5%; 0: any.",
            valueName: "rate"
        ),
        transform: AlertRate.option
    )
    var alert: AlertRate?

    @Option(
        help: ArgumentHelp(
            "Leave a plugin out, and what needs it: \(PluginName.list). May be given more than once.",
            valueName: "name"
        )
    )
    var disable: [PluginName] = []

    func isEnabled(_ plugin: PluginName) -> Bool { !disable.contains(plugin) }

    /// The options that name a file or folder, with their values.
    private var outputs: [(option: String, path: String?)] {
        [
            ("--report", report), ("--trace", trace), ("--hgrm", hgrm), ("--prometheus", prometheus),
            ("--recorder", recorder), ("--log", log),
        ]
    }

    /// The given options that need the instrumentation.
    private var measured: [String] {
        [
            ("--trace", trace), ("--hgrm", hgrm), ("--prometheus", prometheus),
            ("--recorder", recorder),
        ].filter { $0.1 != nil }.map(\.0)
    }

    /// These options without those that `--disable` turns off.
    var enabled: PluginOptions {
        var rest = self
        if !isEnabled(.instrumentation) {
            (rest.trace, rest.hgrm, rest.prometheus, rest.recorder) = (nil, nil, nil, nil)
        }
        if !isEnabled(.recorder) { rest.recorder = nil }
        if !isEnabled(.log) { (rest.log, rest.logLevel) = (nil, nil) }
        if !isEnabled(.alert) { rest.alert = nil }
        return rest
    }

    /// Messages about given options that have no effect.
    var notes: [String] {
        PluginName.allCases.filter { !isEnabled($0) }.compactMap { plugin in
            let options =
                switch plugin {
                case .instrumentation: measured + (report == nil ? [] : ["the pipeline's page of --report"])
                case .recorder: isEnabled(.instrumentation) && recorder != nil ? ["--recorder"] : []
                case .log: log == nil ? [] : ["--log"]
                case .alert: alert == nil ? [] : ["--alert"]
                }
            guard !options.isEmpty else { return nil }
            return "--disable \(plugin.rawValue) leaves out \(options.joined(separator: ", "))"
        }
    }

    /// Throws an error if the options contradict each other, the settings of the stores, or the inputs.
    func check(_ setup: StoreSetup, inputs: [String]) throws {
        if let option = outputs.first(where: { $0.path == "-" })?.option {
            throw ValidationError(
                """
                \(option) needs the path of a file: - is standard output, where the tables go. For a file of that name \
                give ./-
                """
            )
        }
        if logLevel != nil, log == nil { throw ValidationError("--log-level needs --log: say which file.") }
        try enabled.checkEnabled(setup, inputs: inputs)
    }

    private func checkEnabled(_ setup: StoreSetup, inputs: [String]) throws {
        if setup.shards > 1, let option = measured.first ?? (alert == nil ? nil : "--alert") {
            throw ValidationError("\(option) tells of one store: it cannot go with --shards.")
        }
        // Alerts are in the queue with the events, and a lossy policy could drop or reject them.
        if setup.overflow.isLossy, alert != nil {
            throw ValidationError(
                "--alert could lose an alert: it cannot go with --overflow \(setup.overflow.rawValue)."
            )
        }
        try OutputFiles(self, pipelinePage: pipelinePage(setup)?.path).check(inputs: inputs)
    }

    /// The page of the pipeline that belongs to `--report`. There is none for several stores.
    func pipelinePage(_ setup: StoreSetup) -> PipelinePage? {
        guard setup.shards == 1, isEnabled(.instrumentation) else { return nil }
        return report.flatMap(PipelinePage.init(beside:))
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
