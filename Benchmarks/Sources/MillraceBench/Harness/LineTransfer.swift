// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Foundation

/// What a cache line takes from one processor to another, now.
///
/// On a virtual machine the host decides which cores the virtual processors get, and changes it. If the cores have a
/// cache in common, a line takes a fifth of the time that it takes otherwise. This decides what a row with several
/// threads takes, so the time is measured before and after.
@MainActor
struct LineTransfer: Encodable {
    /// Nanoseconds before and after what was measured.
    let before: Double
    let after: Double

    /// Measures `body` and the line around it. The second result is nil for a program with one processor.
    static func around<Result>(_ body: () async throws -> Result) async throws -> (Result, LineTransfer?) {
        let before = try nanoseconds()
        let result = try await body()
        guard let before, let after = try nanoseconds() else { return (result, nil) }
        return (result, LineTransfer(before: before, after: after))
    }

    /// The median of short runs, so that a thread that loses its processor does not matter. Takes some milliseconds.
    static func nanoseconds() throws -> Double? {
        guard ProcessInfo.processInfo.activeProcessorCount > 1 else { return nil }
        guard let lines = bench_lines_create() else { throw BenchmarkError.noMemory("cache lines") }
        defer { bench_lines_destroy(lines) }
        // The threads of the crew use it only during a run.
        nonisolated(unsafe) let shared = lines
        let crew = try Crew(2, pinned: true)
        let rounds = 500
        let runs = (0..<41).map { _ in
            bench_lines_reset(shared)
            let times = crew.run { bench_lines_ping(shared, CInt($0), UInt64(rounds)) }
            return Double(times.wall_nanoseconds) / Double(2 * rounds)
        }
        return runs.sorted()[runs.count / 2]
    }

    var text: String { String(format: "%.0f ns before, %.0f ns after", before, after) }
}
