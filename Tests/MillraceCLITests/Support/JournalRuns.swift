// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import MillraceCLI

/// Runs with a journal that are killed, and what they count in the end.
struct JournalRuns {
    let scratch = Scratch()
    /// How often a run is killed. MILLRACE_KILLS=50 gives more moments.
    static let kills = ProcessInfo.processInfo.environment["MILLRACE_KILLS"].flatMap(Int.init) ?? 4
    /// The events of such a run: a debug build takes about a second for them, twice as long as the longest wait for a
    /// kill. With more kills there are more, so that the last kills meet a run that is not finished.
    static let events = max(60_000, 3_000 * kills)
    /// For a log of half as many lines: some snapshots in each run.
    static let snapshotEvery = "\(events / 12)"

    /// Whether a journal in such a folder may have this level. If the folder's disk is in memory, only `process` is allowed;
    /// then this prints that the case is skipped.
    func allows(_ level: String) throws -> Bool {
        let start = try millrace("run", "--events", "1", "--journal", try folder(), "--durability", level)
        guard start.errors.contains("is in memory") else { return true }
        print("skipped with --durability \(level): the folder for temporary files is in memory")
        return false
    }

    /// A folder that a journal may make. Its disk may be in memory, so most tests use the level that allows it.
    func folder() throws -> String {
        let marker = try scratch.file(UUID().uuidString, [])
        return marker + ".journal"
    }

    /// The counts of a report: all that does not depend on time or threads.
    func counts(_ result: ToolResult) throws -> NSDictionary {
        #expect(result.code == 0, "\(result.errors)")
        var report = try result.json()
        for key in [
            "seconds", "eventsPerSecond", "linesPerSecond", "actionsPerSecond", "metrics", "stages", "engine",
            "capacity",
        ] { report[key] = nil }
        return report as NSDictionary
    }

    /// Starts a run, kills it at random moments, starts it again, and returns the counts of the last start. It is killed
    /// until the journal has actions, because a run that is killed before shows nothing.
    func killed(_ arguments: [String], seed: UInt64) throws -> (counts: NSDictionary, hits: Int) {
        var random = SplitMix64(seed: seed)
        var hits = 0
        let folder = arguments[(arguments.firstIndex(of: "--journal") ?? -1) + 1]
        func hasActions() throws -> Bool {
            let shard = folder + "/shard-0"
            let journal = FileManager.default.fileExists(atPath: shard) ? shard : folder
            return try millrace("journal", "stat", journal).text.contains("actions     1 to ")
        }
        for attempt in 1...Self.kills + 50 where try attempt <= Self.kills || !hasActions() {
            let tool = try Tool(arguments)
            // Longer and longer on a machine that is so busy that a run has not begun after half a second.
            Thread.sleep(forTimeInterval: Double(random.next() % 500) / 1_000 * max(1, Double(attempt - Self.kills)))
            tool.send(SIGKILL)
            if tool.finish().code == -SIGKILL { hits += 1 }
        }
        #expect(try hits > 0 && hasActions(), "a run was killed after it had begun")
        return (try counts(try Tool(arguments).finish()), hits)
    }
}
