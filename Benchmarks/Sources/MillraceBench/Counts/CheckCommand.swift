// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// Compares the instructions and allocations per operation with the recorded figures.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Counts what an operation takes (callgrind); fails if it has grown.",
        discussion: """
            Counted are instructions, allocations, retains and releases, system calls, and cache lines. A control for each
            of them, with one more (5 % more instructions), must be found worse.
            Figures depend on the toolchain: after a change of it, record them with --record and say so.
            """
    )

    /// The file of recorded figures, in the folder of the project.
    static let recordedFile = "Benchmarks/counts.json"

    @Option(help: "The file of recorded figures.")
    var file = recordedFile

    @Option(help: "Operations of the shorter of the two runs whose difference is taken.")
    var operations = 4_096

    @Option(help: "Only rows whose name begins so; may be given more than once.")
    var row: [String] = []

    @Flag(help: "Write the figures into the file.")
    var record = false

    /// The largest number of processes in which a row is counted. Sometimes the system gives one of them other things
    /// to do.
    private static let tries = 3

    func run() throws {
        var recorded = try read()
        let swift = Machine.current().swift
        if !record, recorded.swift != swift || recorded.architecture != RecordedCounts.architectureHere {
            throw ValidationError(
                """
                \(file) was recorded with Swift \(recorded.swift) on \(recorded.architecture), this is Swift \(swift) on \
                \(RecordedCounts.architectureHere): compare with a build of an older commit, then use --record
                """
            )
        }
        for name in row where !CountedRow.all.contains(where: { $0.name.hasPrefix(name) }) {
            throw ValidationError("no row begins with '\(name)'")
        }
        let rows = CountedRow.all.filter { wants($0.name) }
        let figures = try count(rows, more: 0) { name, found in
            guard !record, let before = recorded.rows[name], let row = rows.first(where: { $0.name == name }) else {
                return !record
            }
            return found.defect(against: before, for: row) == nil
        }
        if record {
            recorded.swift = swift
            recorded.architecture = RecordedCounts.architectureHere
            recorded.operations = operations
            if row.isEmpty { recorded.rows = [:] }
            recorded.rows.merge(figures) { $1 }
            try write(recorded)
        }
        var defects = show(rows, figures, recorded)
        if row.isEmpty {
            for name in recorded.rows.keys.sorted() where figures[name] == nil {
                defects.append("\(name): is recorded, but no longer counted")
            }
            defects += CountedRow.missingSections.map { "section \($0): has no row" }
        }
        defects += Self.notFlat(rows, figures)
        defects += try controls(recorded)
        guard defects.isEmpty else {
            // The table comes first, so that the defects are the last lines of a log.
            fflush(nil)
            throw CheckFailure(defects: defects)
        }
        print("bench-check: \(rows.count) rows, none worse; all controls were found")
    }

    /// Counts the rows, and counts those again whose figures are not good. Returns for each row the first good
    /// figures, or the median of all tries.
    private func count(
        _ rows: [CountedRow],
        more: Double,
        isGood: (String, CountFigures) -> Bool
    ) throws -> [String: CountFigures] {
        var found: [String: [CountFigures]] = [:]
        for _ in 0..<Self.tries {
            let left = rows.filter { row in !(found[row.name] ?? []).contains { isGood(row.name, $0) } }
            if left.isEmpty { break }
            for (name, figures) in try CallgrindRun(operations: operations, more: more).figures(of: left) {
                found[name, default: []].append(figures)
            }
        }
        var chosen: [String: CountFigures] = [:]
        for (name, figures) in found {
            chosen[name] = figures.first { isGood(name, $0) } ?? CountFigures(medianOf: figures)
        }
        return chosen
    }

    private func wants(_ name: String) -> Bool {
        row.isEmpty || row.contains { name.hasPrefix($0) }
    }

    private func read() throws -> RecordedCounts {
        guard let data = FileManager.default.contents(atPath: file) else {
            guard record else {
                throw ValidationError("\(file) is not there: run it in the project's folder, or use --record")
            }
            return RecordedCounts(swift: "", architecture: "", operations: 0, rows: [:])
        }
        return try JSONDecoder().decode(RecordedCounts.self, from: data)
    }

    private func write(_ recorded: RecordedCounts) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try (try encoder.encode(recorded) + Data("\n".utf8)).write(to: URL(fileURLWithPath: file))
    }

    /// Prints the table and returns the rows that are worse than recorded.
    private func show(
        _ rows: [CountedRow],
        _ figures: [String: CountFigures],
        _ recorded: RecordedCounts
    ) -> [String] {
        var defects: [String] = []
        print("Each figure stands beside the recorded one.")
        let columns = ["instructions", "mallocs", "retains", "releases", "calls", "lines"]
        print(line("an operation", columns.flatMap { [$0, ""] } + [""]))
        for row in rows {
            let name = row.name
            guard let found = figures[name] else { continue }
            guard let before = recorded.rows[name] else {
                defects.append("\(name): not recorded, use --record")
                continue
            }
            let defect = found.defect(against: before, for: row)
            if let defect { defects.append("\(name): \(defect)") }
            let verdict = defect ?? (found.isBetter(than: before, for: row) ? "better: record it" : "")
            print(line(name, found, before, verdict))
        }
        return defects
    }

    /// The part of its instructions by which a row may exceed the same one with fewer elements. With more elements, a
    /// hash table may be searched a little longer.
    private static let flatTolerance = 0.05

    /// Returns the rows that take more than the same row with fewer elements.
    private static func notFlat(_ rows: [CountedRow], _ figures: [String: CountFigures]) -> [String] {
        rows.compactMap { row in
            guard let few = row.flatTo.flatMap({ figures[$0] }), let many = figures[row.name] else { return nil }
            let isFlat =
                many.instructions <= few.instructions * (1 + flatTolerance) && many.mallocs <= few.mallocs + 0.06
            return isFlat
                ? nil
                : "\(row.name): takes \(many.instructions) instructions and \(many.mallocs) mallocs, with fewer elements "
                    + "\(few.instructions) and \(few.mallocs)"
        }
    }

    /// Counts the controls and returns those that the check does not find. Each control is compared with the recorded
    /// figures of the row that it makes worse.
    private func controls(_ recorded: RecordedCounts) throws -> [String] {
        guard let subject = recorded.rows[CountControl.subject] else {
            return ["\(CountControl.subject): not recorded, and the controls need it"]
        }
        let more = subject.instructions * CountControl.part
        // Never good, so each control is counted in all tries, and its median must be found worse.
        let figures = try count(CountControl.all.map { $0.row(more: more) }, more: more) { _, _ in false }
        let steep = try count(CountedRow.steep, more: 0) { _, _ in true }
        let isSteepFound = !Self.notFlat(CountedRow.steep, steep).isEmpty
        print("control: more with more elements \(isSteepFound ? "found" : "NOT FOUND")")
        let missed = isSteepFound ? [] : ["control: more with more elements: the check does not find it"]
        return missed
            + CountControl.all.compactMap { control in
                guard let found = figures[control.rawValue] else { return "\(control.rawValue): not counted" }
                let worse = found.worse(than: subject, for: control.row(more: more))
                let isFound = worse.contains(control.expected)
                print(line(control.rawValue, found, subject, isFound ? "found" : "NOT FOUND"))
                return isFound ? nil : "\(control.rawValue): the check does not find it"
            }
    }

    private func line(_ name: String, _ found: CountFigures, _ recorded: CountFigures, _ verdict: String) -> String {
        let paths: [(CountFigures) -> Double] = [
            { $0.instructions }, { $0.mallocs }, { $0.retains }, { $0.releases }, { $0.systemCalls }, { $0.lines },
        ]
        return line(name, paths.flatMap { ["\($0(found))", "\($0(recorded))"] } + [verdict])
    }

    private func line(_ name: String, _ columns: [String]) -> String {
        let name = name.padding(toLength: 56, withPad: " ", startingAt: 0)
        let padded = columns.enumerated().map { index, text in
            if index == columns.count - 1 { return "  " + text }
            let width = index < 2 ? 13 : 9
            return String(repeating: " ", count: max(1, width - text.count)) + text
        }
        return name + padded.joined()
    }
}

/// The error that lists the rows that are worse than recorded.
struct CheckFailure: Error, CustomStringConvertible {
    let defects: [String]

    var description: String {
        "bench-check FAILED:\n" + defects.map { "  \($0)" }.joined(separator: "\n")
    }
}
