// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import MillraceInstrumentation
import MillraceLogging
import Synchronization

/// The plugins of a run's stores, as the options choose them: log, alerts, instrumentation.
final class RunPlugins: Sendable {
    /// The results of the plugins when a run is over.
    struct Findings: Sendable {
        /// One snapshot per store; none if nothing was measured.
        var snapshots: [InstrumentationSnapshot] = []
        /// Other messages for the user.
        var notes: [String] = []
        /// Messages about files that could not be written.
        var problems: [String] = []
    }

    private let options: PluginOptions
    private let pipelinePage: PipelinePage?
    private let log: EventLog?
    private let flight: FlightRecorder?
    private let trace: RunTrace?
    private let alertWatch: AlertWatch?
    private let alerts: AlertMiddleware?
    private let instrumentation = Mutex<RunInstrumentation?>(nil)

    /// Opens the files that are written during the run, after all files were checked.
    /// - Parameters:
    ///   - options: The options without the disabled ones.
    ///   - inputs: The names of the inputs.
    ///   - pipelinePage: The page of the pipeline; nil: none is written.
    init(_ options: PluginOptions, inputs: [String], pipelinePage: PipelinePage? = nil) throws(PluginProblem) {
        self.options = options
        self.pipelinePage = pipelinePage
        let problems = OutputProbe.problems(options, pipelinePage: pipelinePage?.path)
        guard problems.isEmpty else { throw PluginProblem(problems) }
        do {
            // It needs the most room. If there is none, no old trace is emptied.
            flight = try options.recorder.map { try FlightRecorder(path: $0, capacity: 65_536) }
            trace = try options.trace.map { try RunTrace(path: $0) }
        } catch {
            throw PluginProblem(["\(error)"])
        }
        log = options.log.map { path in
            EventLog(path: path, level: options.logLevel ?? .info, inputs: inputs, complain: Console.complain)
        }
        alertWatch = options.alert.map { AlertWatch(above: $0) }
        alerts = alertWatch?.middleware
    }

    /// Turns the log off and on at SIGUSR1, while the returned source lives.
    func listen() -> (any DispatchSourceSignal)? { log?.listen() }

    /// Whether the first store has the middleware of the alerts.
    var hasAlerts: Bool { alerts != nil }

    /// Returns the middleware of a store: the log in every store, the alerts in the first one.
    func middleware(ofShard shard: Int) -> RunMiddleware {
        Self.middleware(log: log?.middleware, alerts: shard == LogShards.first ? alerts : nil)
    }

    /// Starts the instrumentation, before the stores get the events.
    func measure(_ shards: LogShards) {
        guard options.isEnabled(.instrumentation) else { return }
        instrumentation.withLock { $0 = RunInstrumentation(shards, flight: flight, trace: trace) }
    }

    /// Corrects the alerts after a process was killed. Raises the alerts that waited for their quiet time then, and
    /// withdraws those whose minutes had recovered without a `.recovered`. Does nothing in a run that was not killed.
    func correctAlerts(in shards: LogShards) async {
        guard let alertWatch else { return }
        let store = shards.stores[LogShards.first]
        let corrections = store.withState(alertWatch.corrections)
        guard !corrections.isEmpty else { return }
        store.dispatch(contentsOf: corrections)
        await shards.drain()
    }

    /// Waits until the plugins have finished, and returns their results. Called when all events are counted.
    func end(_ shards: LogShards, isJournaled: Bool = false) async -> Findings {
        // With a journal, `RunJournal.end` has committed `.inputEnded` already, so that the journal has it only once.
        if !isJournaled {
            shards.dispatch(control: [.inputEnded], to: LogShards.first)
            await shards.drain()
        }
        if let alerts {
            // Waiting alerts are dispatched after at most their quiet time.
            while alerts.runningEffects > 0 { try? await Task.sleep(for: .milliseconds(2)) }
            // An alert may cause an action that withdraws it.
            for _ in 1...2 { await shards.drain() }
            if isJournaled { await correctAlerts(in: shards) }
        }
        await log?.log.flush()
        var findings = Findings(problems: [log?.loss].compactMap { $0 })
        guard let instrumentation = instrumentation.withLock({ $0 }) else { return findings }
        let (snapshots, traced) = await instrumentation.end()
        flight?.end()
        findings.snapshots = snapshots
        findings.problems += [options.recorder.flatMap(OutputProbe.removal)].compactMap { $0 }
        findings.notes += [traced?.loss].compactMap { $0 }
        findings.problems += [traced?.problem].compactMap { $0?.description }
        if let snapshot = snapshots.first { findings.problems += write(snapshot) }
        return findings
    }

    /// Writes the files of a run with one store; the options allow no more. Returns messages about files that could not
    /// be written.
    private func write(_ snapshot: InstrumentationSnapshot) -> [String] {
        var problems: [String] = []
        func attempt(_ path: String?, _ write: (String) throws(ReportFileError) -> Void) {
            guard let path else { return }
            do throws(ReportFileError) { try write(path) } catch { problems.append("\(error)") }
        }
        attempt(pipelinePage?.path) { path throws(ReportFileError) in
            try HTMLReport(
                snapshot,
                title: "millrace run",
                link: pipelinePage.map { ("The log", $0.logAddress) }
            ).write(toFile: path)
        }
        attempt(options.prometheus) { path throws(ReportFileError) in
            try PrometheusReport(snapshot).write(toFile: path)
        }
        attempt(options.hgrm) { path throws(ReportFileError) in
            try PercentileReport.write(snapshot, toFolder: path)
        }
        return problems
    }
}

/// The error of a plugin that could not be made, with messages.
struct PluginProblem: Error {
    let words: [String]

    init(_ words: [String]) {
        self.words = words
    }
}
