// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// Runs this program under callgrind, and reads the files that callgrind writes.
struct CallgrindRun {
    let operations: Int
    /// The extra instructions per operation: see `CountCommand.more`.
    let more: Double

    /// Returns the instructions and allocations that one operation of each row takes.
    func figures(of rows: [String]) throws -> [String: CountFigures] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("millrace-counts-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let mallocs = try run(rows, in: folder)
        let instructions = try instructions(in: folder)
        var figures: [String: CountFigures] = [:]
        for (index, name) in rows.enumerated() {
            guard let short = instructions["\(index).1"], let long = instructions["\(index).2"], index < mallocs.count
            else { throw ValidationError("callgrind wrote no counts of '\(name)'") }
            // Threads of the runtime may have worked more in the short run: the difference can be negative.
            figures[name] = CountFigures(
                instructions: rounded((Double(long) - Double(short)) / Double(operations)),
                mallocs: rounded(mallocs[index])
            )
        }
        return figures
    }

    private func run(_ rows: [String], in folder: URL) throws -> [Double] {
        // Valgrind cannot read the debug information that this compiler writes.
        let program = folder.path + "/program"
        _ = try run(["strip", "--strip-debug", "-o", program, CommandLine.arguments[0]])
        let text = try run([
            "valgrind", "--tool=callgrind", "--instr-atstart=no", "-q",
            "--callgrind-out-file=\(folder.path)/out", program, "count",
            "--operations", "\(operations)", "--more", "\(more)",
            "--rows", String(decoding: try JSONEncoder().encode(rows), as: UTF8.self),
        ])
        return try JSONDecoder().decode([Double].self, from: text)
    }

    /// Runs a command and returns its output.
    private func run(_ command: [String]) throws -> Data {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        // Deterministic hashing, so that hash tables have the same buckets in every run.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_DETERMINISTIC_HASHING": "1"]) { $1 }
        process.standardOutput = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkError.commandFailed(command[0], Int(process.terminationStatus))
        }
        return text
    }

    /// Returns the smallest number of instructions for each label. Callgrind writes one file per dump, with the label
    /// and the total.
    private func instructions(in folder: URL) throws -> [String: UInt64] {
        var found: [String: UInt64] = [:]
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            guard file.lastPathComponent.hasPrefix("out.") else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            guard
                let label = text.firstMatch(of: /desc: Trigger: Client Request: (\S+)/),
                let total = text.firstMatch(of: /(?:totals|summary): (\d+)/)
            else { continue }
            guard let count = UInt64(total.output.1) else { continue }
            found[String(label.output.1)] = min(found[String(label.output.1)] ?? .max, count)
        }
        return found
    }

    private func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
