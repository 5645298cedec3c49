// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import MillraceInstrumentation
import MillraceLogging
import Synchronization

/// What the stores of a run do beside counting, as the options have it: log, raise alerts, measure.
final class RunPlugins: Sendable {
    /// What is left of them when a run is over.
    struct Findings: Sendable {
        /// A store each; none if nothing was measured.
        var snapshots: [InstrumentationSnapshot] = []
        /// What else is to be told, in words.
        var notes: [String] = []
        /// Files that could not be written, in words.
        var problems: [String] = []
    }

    private let options: PluginOptions
    private let log: EventLog?
    private let flight: FlightRecorder?
    private let trace: RunTrace?
    private let alerts: AlertMiddleware?
    private let instrumentation = Mutex<RunInstrumentation?>(nil)

    /// Opens the files that are written while the run goes on, once all that will be written can be.
    /// - Parameters:
    ///   - options: Without what is disabled.
    ///   - inputs: The names of what is read.
    init(_ options: PluginOptions, inputs: [String]) throws(PluginProblem) {
        self.options = options
        let problems = OutputProbe.problems(options)
        guard problems.isEmpty else { throw PluginProblem(problems) }
        do {
            trace = try options.trace.map { try RunTrace(path: $0) }
            flight = try options.recorder.map { try FlightRecorder(path: $0, capacity: 65_536) }
        } catch {
            throw PluginProblem(["\(error)"])
        }
        log = options.log.map { path in
            EventLog(path: path, level: options.logLevel ?? .info, inputs: inputs, complain: Console.complain)
        }
        alerts = options.alert.map { AlertWatch(above: $0).middleware }
    }

    /// Turns the log off and on at SIGUSR1, as long as the returned value lives.
    func listen() -> (any DispatchSourceSignal)? { log?.listen() }

    /// Puts them into the stores, which have not been given an action yet.
    func install(in shards: LogShards) async throws(PluginProblem) {
        do {
            for store in shards.stores {
                if let log { try await store.plugins.install(log.middleware, as: "log") }
            }
            if let alerts { try await shards.stores[LogShards.first].plugins.install(alerts, as: "alert") }
        } catch {
            throw PluginProblem(["\(error)"])
        }
        // Last, as it measures those that are there.
        guard options.isEnabled(.instrumentation) else { return }
        instrumentation.withLock { $0 = RunInstrumentation(shards, flight: flight, trace: trace) }
    }

    /// Once everything is counted: waits for what they still do, and returns what they have found.
    func end(_ shards: LogShards) async -> Findings {
        shards.dispatch(control: [.inputEnded], to: LogShards.first)
        await shards.drain()
        if let alerts {
            // Those that are due come within the time for which they are debounced.
            while alerts.runningEffects > 0 { try? await Task.sleep(for: .milliseconds(2)) }
            // An alert may be answered by an action that takes it back.
            for _ in 1...2 { await shards.drain() }
        }
        await log?.log.flush()
        guard let instrumentation = instrumentation.withLock({ $0 }) else { return Findings() }
        let (snapshots, traced) = await instrumentation.end()
        flight?.end()
        var findings = Findings(snapshots: snapshots)
        findings.notes += [traced?.loss].compactMap { $0 }
        findings.problems += [traced?.problem].compactMap { $0?.description }
        if let snapshot = snapshots.first { findings.problems += write(snapshot) }
        return findings
    }

    /// The files of a run with one store: the options allow no other. Returns what could not be written.
    private func write(_ snapshot: InstrumentationSnapshot) -> [String] {
        var problems: [String] = []
        func attempt(_ path: String?, _ write: (String) throws(ReportFileError) -> Void) {
            guard let path else { return }
            do throws(ReportFileError) { try write(path) } catch { problems.append("\(error)") }
        }
        attempt(options.report) { path throws(ReportFileError) in
            try HTMLReport(snapshot, title: "millrace run").write(toFile: path)
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

/// Why a plugin could not be had, in words.
struct PluginProblem: Error {
    let words: [String]

    init(_ words: [String]) {
        self.words = words
    }
}
