// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `millrace run`: counts an access log.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Analyse web server access logs, or a generated one.",
        discussion: """
            Reads Common and Combined Log Format, counts on several threads through one store, and reports totals, \
            statuses, methods, busiest minutes, top paths and top hosts. Without FILE it makes a log in memory.

            Exit codes: 0 all well; 1 an input could not be read, or no line was an event; 64 wrong options; \
            130 interrupted (the report so far is printed; a second Ctrl-C ends at once).
            """
    )

    @Argument(help: ArgumentHelp("Log files, one after the other; - is standard input.", valueName: "file"))
    var files: [String] = []

    @Option(help: "Which lines are events: auto, common or combined. auto decides line by line.")
    var format: LogFormat = .auto

    @Option(help: "Threads that read and parse. Changes speed, never results.")
    var producers = Self.defaultProducers

    @Option(name: .customLong("repeat"), help: "Read the files so many times.")
    var repetitions = 1

    @Option(help: "Lines to generate when there is no FILE. (default: 5000000)")
    var events: Int?

    @Option(help: "What the generated lines depend on. (default: 1)")
    var seed: UInt64?

    @Option(help: "Length of the top lists.")
    var top = 10

    @Option(help: "Distinct paths, and hosts, to keep in memory; the rest is counted as other.")
    var maxKeys = 1_000_000

    @Flag(help: "Print one JSON object instead of tables.")
    var json = false

    @Flag(help: "No progress line on the terminal.")
    var quiet = false

    @Option(help: "Who consumes: a thread of the store (thread), or whichever producer dispatches (caller).")
    var engine: EngineChoice = .thread

    var generatedEvents: Int { events ?? 5_000_000 }
    var generatorSeed: UInt64 { seed ?? 1 }
    static var defaultProducers: Int { min(availableProcessors(), maximumProducers) }
    static let maximumProducers = 256

    func validate() throws {
        try check(1...Self.maximumProducers ~= producers, "--producers must be 1 to \(Self.maximumProducers).")
        try check(repetitions >= 1, "--repeat must be at least 1.")
        try check(events ?? 1 >= 1, "--events must be at least 1.")
        try check(events ?? 1 <= 1_000_000_000_000, "--events must be at most 1000000000000.")
        try check(top >= 1, "--top must be at least 1.")
        try check(1...1_000_000_000 ~= maxKeys, "--max-keys must be 1 to 1000000000.")
        try check(files.count { $0 == "-" } <= 1, "Standard input (-) can be read only once.")
        try check(repetitions == 1 || !files.contains("-"), "--repeat cannot read standard input (-) again.")
        try check(repetitions == 1 || !files.isEmpty, "--repeat needs a FILE; use --events for a longer generated log.")
        try check(events == nil || files.isEmpty, "--events is for a generated log: it cannot go with a FILE.")
        try check(seed == nil || files.isEmpty, "--seed is for a generated log: it cannot go with a FILE.")
    }

    private func check(_ condition: Bool, _ message: String) throws {
        guard condition else { throw ValidationError(message) }
    }

    func run() async throws {
        try await RunSession(options: self).run()
    }
}
