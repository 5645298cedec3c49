// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `millrace run`: counts an access log.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Analyse web server access logs, or a generated one.",
        discussion: """
            Reads access logs of Apache, nginx, IIS and others, also compressed by gzip or zstd. Counts on several \
            threads through one store, and reports totals, statuses, methods, busiest minutes, top paths and top \
            hosts; --report makes a page of them. Without FILE it makes a log in memory.

            The first lines of each file tell its format. --format sets it: by name (\(LogFormat.nameList)), or as a \
            line in the notation of nginx's log_format:
              millrace run --format '$remote_addr [$time_local] "$request" $status $body_bytes_sent' access.log
            JSON lines with names of their own:
              --format '{"when": "$time_iso8601", "ip": "$remote_addr", "url": "$request_uri", "code": "$status"}'

            With --journal the run survives kill -9: every action is in a folder before it counts as done, and the same \
            command goes on where the last run stopped. 'millrace journal' looks into the folder.

            Results are the same for every --engine, --capacity and --shards, unless --overflow drops events: then \
            the report says exactly how many.

            Exit codes: 0 all well; 1 an input could not be read, no line was an event, or a file cannot be \
            written; 64 wrong options; \
            70 the counters do not balance, which is a defect of this program; \
            130 interrupted (the report so far is printed; a second Ctrl-C ends at once).
            """
    )

    @Argument(help: ArgumentHelp("Log files, one after the other; - is standard input.", valueName: "file"))
    var files: [String] = []

    @Option(
        help: ArgumentHelp(
            "How the lines are laid out: a name, or a line with nginx's variables. auto: found out.",
            valueName: "name|line"
        ),
        transform: RunCommand.format
    )
    var format: LogFormat = .auto

    // Numbers are read unconditionally: a negative one is an invalid value, not an option.
    @Option(parsing: .unconditional, help: "Threads that read and parse. Changes speed, never results.")
    var producers = Self.defaultProducers

    @Option(name: .customLong("repeat"), parsing: .unconditional, help: "How many times to read the files.")
    var repetitions = 1

    @Option(parsing: .unconditional, help: "Lines to generate when there is no FILE. (default: 5000000)")
    var events: Int?

    @Option(
        parsing: .unconditional,
        help: "The seed of the generated lines. (default: 1)",
        transform: RunCommand.seed
    )
    var seed: UInt64?

    @Option(parsing: .unconditional, help: "Length of the top lists.")
    var top = 10

    @Option(
        parsing: .unconditional,
        help: "Distinct paths, and hosts, to keep in memory; the rest is counted as other."
    )
    var maxKeys = 1_000_000

    @Flag(help: "Print one JSON object instead of tables.")
    var json = false

    @Flag(help: "No progress line on the terminal.")
    var quiet = false

    @Option(
        help: ArgumentHelp(
            "Who consumes: thread, queue, caller or main.",
            discussion: """
                thread: a thread for each store; queue: a dispatch queue for each store; caller: the producer that \
                dispatches; main: the main queue.
                """
        )
    )
    var engine: EngineChoice = .thread

    @Option(
        parsing: .unconditional,
        help: "Actions that may wait in each store. (default: 262144, divided by --shards)"
    )
    var capacity: Int?

    @Option(
        help: ArgumentHelp(
            "What happens to an event when --capacity is used up: block, drop-newest or drop-oldest. (default: block)",
            discussion: "Dropped events are counted and reported."
        )
    )
    var overflow: OverflowChoice?

    @Option(
        parsing: .unconditional,
        help: "Stores that share the events by their host, 1 to 64. Their counts are added at the end."
    )
    var shards = 1

    @OptionGroup(title: "Journal")
    var journal: JournalRunOptions

    @OptionGroup(title: "Plugins")
    var plugins: PluginOptions

    /// The stores of the run.
    var setup: StoreSetup {
        StoreSetup(engine: engine, shards: shards, requestedCapacity: capacity, overflow: overflow ?? .block)
    }

    /// The exit code of a run whose counters contradict each other: EX_SOFTWARE.
    static let countersDoNotBalance: Int32 = 70
    static let maximumCapacity = 1_000_000_000
    static let maximumKeys = 1_000_000_000

    var generatedEvents: Int { events ?? 5_000_000 }
    var generatorSeed: UInt64 { seed ?? 1 }
    static var defaultProducers: Int { min(availableProcessors(), maximumProducers) }
    static let maximumProducers = 256

    func validate() throws {
        try check("--producers", producers, atMost: Self.maximumProducers)
        try check(repetitions >= 1, "--repeat must be positive: 1 or more.")
        try check(events ?? 1 >= 1, "--events must be positive: 1 or more.")
        try check(events ?? 1 <= 1_000_000_000_000, "--events must be at most 1000000000000.")
        try check(top >= 1, "--top must be positive: 1 or more.")
        try check("--max-keys", maxKeys, atMost: Self.maximumKeys)
        try checkStores()
        if let option = RepeatedOption.first(in: CommandLine.arguments.dropFirst()) {
            throw ValidationError("\(option) was given twice: it names one file. Leave one of them out.")
        }
        try check(files.count { $0 == "-" } <= 1, "Standard input (-) can be read only once.")
        try check(repetitions == 1 || !files.contains("-"), "--repeat cannot read standard input (-) again.")
        try check(repetitions == 1 || !files.isEmpty, "--repeat needs a FILE; use --events for a longer generated log.")
        try check(events == nil || files.isEmpty, "--events is for a generated log: it cannot go with a FILE.")
        try check(seed == nil || files.isEmpty, "--seed is for a generated log: it cannot go with a FILE.")
        try plugins.check(setup, inputs: files)
        try journal.check(setup, inputs: files)
    }

    private static func format(_ argument: String) throws -> LogFormat {
        do throws(FormatError) {
            return try LogFormat(argument: argument)
        } catch {
            throw ValidationError(error.description)
        }
    }

    private static func seed(_ argument: String) throws -> UInt64 {
        guard let seed = UInt64(argument) else {
            throw ValidationError("It must be 0 or a positive number: 0 to \(UInt64.max).")
        }
        return seed
    }

    private func checkStores() throws {
        try check("--capacity", capacity ?? 1, atMost: Self.maximumCapacity, "; leave it out for the default")
        try check(
            overflow == nil || capacity != nil,
            "--overflow needs --capacity: say how many actions may wait, for example --capacity 1024."
        )
        try check("--shards", shards, atMost: StoreSetup.maximumShards, "; 1 is one store for all")
    }

    private func check(_ option: String, _ value: Int, atMost most: Int, _ hint: String = "") throws {
        try check(value >= 1, "\(option) must be positive: 1 to \(most)\(hint).")
        try check(value <= most, "\(option) must be at most \(most)\(hint).")
    }

    private func check(_ condition: Bool, _ message: String) throws {
        guard condition else { throw ValidationError(message) }
    }

    func run() async throws {
        try await RunSession(options: self).run()
    }
}
