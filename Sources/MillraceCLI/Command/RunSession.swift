// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Dispatch
import MillraceInstrumentation
import MillraceJournal

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// One execution of `millrace run`: input, analysis, report, exit code.
struct RunSession {
    let options: RunCommand

    func run() async throws {
        Console.ignoreClosedPipes()
        // Without a log SIGUSR1 has nothing to turn off, but must not end the process.
        ignoreSignal(SIGUSR1)
        let interruption = Interruption()
        let signals = interruption.listen()
        defer { signals.forEach { $0.cancel() } }
        let plugins = try makePlugins()
        let logSwitch = plugins.listen()
        defer { logSwitch?.cancel() }

        let files = inputs(interruption)
        let source: any ChunkSource = files ?? generated(interruption)
        let journal = try await openJournal(plugins) { [files] in
            !(files?.failures.isEmpty ?? true) || interruption.isRequested
        }
        let outcome = try await analyse(source, plugins, journal)
        await journal?.close()
        let failures = files?.failures.count ?? 0
        let isInterrupted = interruption.isRequested
        let report = report(outcome, formats: files?.formats ?? [], isInterrupted: isInterrupted)
        if outcome.state.lines > 0 || isInterrupted || (options.json && failures < max(1, options.files.count)) {
            try show(report)
        }
        let problems = outcome.findings.problems + writePage(report)
        (outcome.findings.notes + problems).forEach(Console.complain)
        if let recovered = journal?.recovered { Console.complain(recovered) }
        if let problem = outcome.imbalance {
            Console.complain(
                """
                the counters do not balance, do not trust this report: \(problem). This is a defect of millrace: please \
                report it
                """
            )
            throw ExitCode(RunCommand.countersDoNotBalance)
        }
        if isInterrupted { throw ExitCode(128 + interruption.signal) }
        try judge(outcome, failures: failures)
        if !problems.isEmpty { throw ExitCode.failure }
    }

    private func inputs(_ interruption: Interruption) -> InputChunks? {
        guard !options.files.isEmpty else { return nil }
        return InputChunks(
            inputs: options.files.map(InputSource.init),
            format: options.format,
            repeating: options.repetitions,
            interruption: interruption,
            report: { Console.complain($0) }
        )
    }

    private func generated(_ interruption: Interruption) -> GeneratedChunks {
        GeneratedChunks(events: options.generatedEvents, seed: options.generatorSeed, interruption: interruption)
    }

    private func makePlugins() throws -> RunPlugins {
        do throws(PluginProblem) {
            options.plugins.notes.forEach(Console.complain)
            if options.plugins.report != nil, options.shards > 1, options.plugins.isEnabled(.instrumentation) {
                Console.complain("--shards leaves out the pipeline's page of --report, which tells of one store")
            }
            return try RunPlugins(options.plugins.enabled, inputs: inputNames, pipelinePage: pipelinePage)
        } catch {
            error.words.forEach(Console.complain)
            throw ExitCode.failure
        }
    }

    /// Opens the journal of `--journal`, and recovers what it holds.
    private func openJournal(
        _ plugins: RunPlugins,
        _ isBroken: @escaping @Sendable () -> Bool
    ) async throws -> RunJournal? {
        guard let path = options.journal.journal else { return nil }
        let isShown = !options.quiet && Console.hasTerminal
        do throws(RunJournalError) {
            let run = RunDescription(
                producers: options.producers,
                maximumKeys: options.maxKeys,
                format: "\(options.format)",
                repetitions: options.repetitions,
                inputs: try options.files.map { path throws(RunJournalError) in try RunDescription.Input(path: path) },
                generated: options.files.isEmpty
                    ? RunDescription.Generated(events: options.generatedEvents, seed: options.generatorSeed) : nil,
                hasPage: options.plugins.report != nil,
                shards: options.shards
            )
            defer { if isShown { Console.show("\r\u{1B}[K") } }
            return try await RunJournal(
                options.journal,
                at: path,
                run,
                setup: options.setup,
                plugins: plugins,
                isBroken: isBroken
            ) {
                guard isShown else { return }
                Console.show(
                    """
                    \rrecovering: \(Figures.grouped($0.actions)) actions, to \(Figures.grouped($0.sequence)), \
                    \($0.bytes >> 20) of \($0.totalBytes >> 20) MiB\u{1B}[K
                    """
                )
            }
        } catch {
            Console.complain(error.words)
            throw ExitCode.failure
        }
    }

    private func analyse(_ source: any ChunkSource, _ plugins: RunPlugins, _ journal: RunJournal?) async throws
        -> Analysis.Outcome
    {
        var analysis = Analysis(
            producers: options.producers,
            setup: options.setup,
            format: options.format,
            maximumKeys: options.maxKeys,
            plugins: plugins
        )
        analysis.hasPage = options.plugins.report != nil
        analysis.journal = journal
        var progress: Task<Void, Never>?
        do {
            let outcome = try await analysis.run(source) { shards, parsed in
                guard !options.quiet, Console.hasTerminal else { return }
                progress = Task { await ProgressLine(shards: shards, parsed: parsed).run() }
            }
            progress?.cancel()
            await progress?.value
            return outcome
        } catch let error as SystemError {
            progress?.cancel()
            Console.complain("cannot start a thread: \(error.words)")
            throw ExitCode.failure
        } catch let error as RunJournalError {
            progress?.cancel()
            Console.complain("the run is not complete, and no report is printed: \(error.words)")
            throw ExitCode.failure
        }
    }

    private var pipelinePage: PipelinePage? { options.plugins.pipelinePage(options.setup) }

    private func report(_ outcome: Analysis.Outcome, formats: [LogFormat], isInterrupted: Bool) -> Report {
        var names: [String] = []
        for format in formats where !names.contains(format.inReports) { names.append(format.inReports) }
        return Report(
            state: outcome.state,
            metrics: outcome.metrics,
            parsed: outcome.parsed,
            setup: options.setup,
            seconds: outcome.duration.seconds,
            top: options.top,
            title: title,
            inputs: inputNames,
            isInterrupted: isInterrupted,
            formats: names,
            alertRate: options.plugins.enabled.alert,
            stages: StageFigures.merged(outcome.findings.snapshots)
        )
    }

    /// Writes the page of the log. Returns a message if that fails.
    private func writePage(_ report: Report) -> [String] {
        guard let path = options.plugins.report, let traffic = report.state.traffic else { return [] }
        do throws(ReportFileError) {
            try LogPage(report, traffic, pipelinePage: pipelinePage).write(toFile: path)
            return []
        } catch {
            return ["\(error)"]
        }
    }

    private func show(_ report: Report) throws {
        do throws(SystemError) {
            try Console.printReport(options.json ? report.json : report.text)
        } catch {
            Console.complain("cannot write the report: \(error.words)")
            throw ExitCode.failure
        }
    }

    /// Reports what is wrong with the input as a whole, and throws the exit code.
    private func judge(_ outcome: Analysis.Outcome, failures: Int) throws {
        let state = outcome.state
        if state.lines == 0, failures == 0 {
            Console.complain("nothing to count: the input is empty")
        } else if outcome.parsed == 0, state.lines > 0 {
            Console.complain("no line of the input is an event of the access-log grammar (--format \(options.format))")
        }
        if outcome.parsed == 0 || failures > 0 { throw ExitCode.failure }
    }

    private var inputNames: [String] {
        options.files.isEmpty ? ["generated"] : options.files.map { InputSource($0).name }
    }

    private var title: String {
        guard !options.files.isEmpty else {
            return "Access log: \(Figures.grouped(UInt64(options.generatedEvents))) generated lines, "
                + "seed \(options.generatorSeed)"
        }
        let names = options.files.map { KeyText(bytes: Array(InputSource($0).name.utf8)).printable }
        let times = options.repetitions == 1 ? "" : ", \(Figures.grouped(UInt64(options.repetitions))) times"
        return "Access log: \(names.count == 1 ? names[0] : "\(names.count) inputs")\(times)"
    }
}
