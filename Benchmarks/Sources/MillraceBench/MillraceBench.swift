// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// The benchmarks of Millrace, in a package of their own, so that Millrace is used as by any client.
@main
struct MillraceBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "millrace-bench",
        abstract: "Measures Millrace next to its rivals, in pairs, in one process.",
        discussion: "Sections: \(knownSections.joined(separator: ", ")). See Benchmarks/README.md.",
        subcommands: [CheckCommand.self, CountCommand.self]
    )

    static let knownSections = [
        "aims", "caller", "loop", "rivals", "lifted", "engines", "order", "bounds", "producers", "transport", "lines",
        "reads", "publication", "latency", "wake", "subject", "footprint", "collection", "effects", "feedback", "gated",
        "instrumentation", "logging", "plugins", "simulation", "records", "substates", "journal", "orderbook", "cliffs",
    ]

    @Option(help: "Only the sections whose name begins so; may be given more than once.")
    var only: [String] = []

    @Option(help: "Runs of each side of a comparison.")
    var pairs = 11

    @Option(help: "Operations in a run; slow rivals do fewer.")
    var events = 2_000_000

    @Flag(help: "Print one JSON object in place of tables.")
    var json = false

    @Flag(help: "Few and short runs: checks results and allocations, and says nothing about time.")
    var smoke = false

    func validate() throws {
        guard pairs > 0 else { throw ValidationError("--pairs must be at least 1") }
        guard events >= 1000 else { throw ValidationError("--events must be at least 1000") }
        for name in only where !Self.knownSections.contains(where: { $0.hasPrefix(name.lowercased()) }) {
            throw ValidationError("no section begins with '\(name)': \(Self.knownSections.joined(separator: ", "))")
        }
    }

    @MainActor
    static func main() async {
        do {
            var command = try parseAsRoot()
            if let bench = command as? MillraceBench { try await bench.measure() } else { try command.run() }
        } catch {
            exit(withError: error)
        }
    }

    @MainActor
    private func measure() async throws {
        let progress = Progress()
        let pairing = Pairing(
            pairs: smoke ? 2 : pairs,
            operations: smoke ? min(events, 20_000) : events,
            progress: progress
        )
        var report = Report(machine: .current(), pairs: pairing.pairs, operations: pairing.operations)
        if !json { say(report.header) }

        for section in sections() {
            progress.begin(section: section.id)
            let (tables, line) = try await LineTransfer.around { try await section.measure(pairing) }
            progress.clear()
            report.sections[section.id] = tables
            report.lines[section.id] = line
            if !json, let line { say("\n[\(section.id)] a cache line to the other processor: \(line.text)") }
            for table in tables {
                if !json { say("\n[\(section.id)] \(table.text)") }
                for row in table.rows where row.passes == false {
                    report.missed.append("\(section.id): \(row.name)")
                }
            }
        }
        if json { say(try report.json) }
        if smoke { try checkAllocations(report) }
    }

    /// Prints a text at once. `print` would keep it in a buffer for minutes if the output is a file.
    private func say(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }

    @MainActor
    private func sections() -> [any Section] {
        let all: [any Section] = [
            AimsSection(), CallerSection(), LoopSection(), RivalsSection(), LiftedSection(), EnginesSection(),
            OrderSection(),
            BoundsSection(),
            ProducersSection(),
            TransportSection(), LinesSection(), ReadsSection(), PublicationSection(), LatencySection(isShort: smoke),
            WakeSection(),
            SubjectSection(), FootprintSection(isShort: smoke), CollectionSection(), EffectsSection(),
            RegistrySection(isShort: smoke),
            FeedbackSection(), GatedSection(), InstrumentationSection(isShort: smoke), LoggingSection(),
            PluginsSection(isShort: smoke), SimulationSection(), RecordsSection(), SubstatesSection(),
            JournalSection(isShort: smoke), OrderBookSection(),
            CliffsSection(isShort: smoke),
        ]
        return all.filter { wants($0.id) }
    }

    private func wants(_ id: String) -> Bool {
        only.isEmpty || only.contains { id.hasPrefix($0.lowercased()) }
    }

    /// Throws an error if a row allocates more than its target. Only this can be checked in a short run on a busy
    /// machine, because allocations are the same in every run.
    private func checkAllocations(_ report: Report) throws {
        // An aim may be missed. What is reached today is a target of the section that measures it.
        let rows = report.sections.filter { $0.key != "aims" }.values.flatMap { $0 }.flatMap(\.rows)
        for row in rows {
            for target in row.targets where target.figure == .mallocs {
                guard let mallocs = row.mallocs, mallocs <= target.atMost else {
                    throw ValidationError("'\(row.name)' allocates \(row.mallocs ?? .nan) times an operation")
                }
            }
        }
    }
}
