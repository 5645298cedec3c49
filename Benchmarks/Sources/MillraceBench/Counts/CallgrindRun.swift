// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CallgrindDumps
import Dispatch
import Foundation
import Synchronization

/// Runs this program under callgrind, and reads the files that callgrind writes.
struct CallgrindRun {
    let operations: Int
    /// The extra instructions per operation: see `CountCommand.more`.
    let more: Double

    /// Returns the instructions and allocations that one operation of each row takes, by the names of the rows.
    ///
    /// Each row has a process of its own, so that its figures do not depend on the rows before it. Valgrind runs one
    /// thread at a time, so as many processes run beside each other as there are processors.
    func figures(of rows: [CountedRow]) throws -> [String: CountFigures] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("millrace-counts-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Valgrind cannot read the debug information that this compiler writes.
        _ = try execute(["strip", "--strip-debug", "-o", program(in: folder), CommandLine.arguments[0]], in: folder)
        let found = Mutex<[Result<CountFigures, any Error>?]>(Array(repeating: nil, count: rows.count))
        DispatchQueue.concurrentPerform(iterations: rows.count) { index in
            let result = Result { try figures(of: rows[index], in: folder, number: index) }
            found.withLock { $0[index] = result }
        }
        var all: [String: CountFigures] = [:]
        for (row, result) in zip(rows, found.withLock({ $0 })) { all[row.name] = try result?.get() }
        return all
    }

    private func program(in folder: URL) -> String { folder.path + "/program" }

    private func figures(of row: CountedRow, in folder: URL, number: Int) throws -> CountFigures {
        let own = folder.appendingPathComponent("\(number)")
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        let mallocs = try run(program(in: folder), row.name, in: own)
        let dumps = try dumps(in: own)
        guard let short = dumps["1"], let long = dumps["2"] else {
            throw ValidationError("callgrind wrote no counts of '\(row.name)'")
        }
        // Threads of the runtime may have worked more in the short run: a difference can be negative.
        func each(_ path: (CallgrindDump) -> Double) -> Double {
            rounded(max(0, path(long) - path(short)) / Double(operations / row.divisor))
        }
        var found = CountFigures()
        found.instructions = each { $0.instructions }
        found.mallocs = rounded(mallocs)
        found.retains = each { $0.retains }
        found.releases = each { $0.releases }
        found.systemCalls = each { $0.systemCalls }
        found.lines = each { $0.lines }
        return found
    }

    /// The lines of the cache that callgrind simulates for data. It is small and any line fits into any of its places,
    /// so that a line counts each time an operation comes back to it after 16 others.
    static let cachedLines = 16

    /// Runs the command `count` for a row under callgrind, and returns the allocations of an operation.
    private func run(_ program: String, _ row: String, in folder: URL) throws -> Double {
        let text = try execute(
            [
                "valgrind", "--tool=callgrind", "--instr-atstart=no", "-q", "--collect-systime=yes", "--cache-sim=yes",
                "--I1=32768,8,64", "--D1=\(Self.cachedLines * 64),\(Self.cachedLines),64", "--LL=1048576,16,64",
                "--callgrind-out-file=\(folder.path)/out", program, "count",
                "--operations", "\(operations)", "--more", "\(more)", "--row", row,
            ],
            in: folder
        )
        return try JSONDecoder().decode(Double.self, from: text)
    }

    /// Runs a command and returns its output.
    private func execute(_ command: [String], in folder: URL) throws -> Data {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        // Deterministic hashing, so that hash tables have the same buckets in every run.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_DETERMINISTIC_HASHING": "1"]) { $1 }
        process.standardOutput = output
        // Valgrind warns that the simulated caches are not those of the machine, which is intended.
        let errors = folder.appendingPathComponent("errors")
        _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            if let text = FileManager.default.contents(atPath: errors.path) { FileHandle.standardError.write(text) }
            throw BenchmarkError.commandFailed(command[0], Int(process.terminationStatus))
        }
        return text
    }

    /// Returns the smallest figures for each label. Callgrind writes one file per dump.
    private func dumps(in folder: URL) throws -> [String: CallgrindDump] {
        var found: [String: CallgrindDump] = [:]
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            guard file.lastPathComponent.hasPrefix("out."),
                let dump = CallgrindDump(try String(contentsOf: file, encoding: .utf8))
            else { continue }
            found[dump.label] = found[dump.label]?.least(dump) ?? dump
        }
        return found
    }

    private func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
