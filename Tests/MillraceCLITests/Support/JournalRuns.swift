// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import MillraceCLI

/// Runs with a journal that are killed, and what they count in the end.
struct JournalRuns {
    let scratch = Scratch()
    /// How often a run is killed. MILLRACE_KILLS=50 gives more moments.
    static let kills = ProcessInfo.processInfo.environment["MILLRACE_KILLS"].flatMap(Int.init) ?? 4

    /// A folder that a journal may make. Its disk may be in memory, so the tests use the level that allows it.
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

    /// Starts a run, kills it at random moments, starts it again, and returns the counts of the last start.
    func killed(_ arguments: [String], seed: UInt64) throws -> (counts: NSDictionary, hits: Int) {
        var random = SplitMix64(seed: seed)
        var hits = 0
        for _ in 0..<Self.kills {
            let tool = try Tool(arguments)
            Thread.sleep(forTimeInterval: Double(random.next() % 500) / 1_000)
            tool.send(SIGKILL)
            if tool.finish().code == -SIGKILL { hits += 1 }
        }
        return (try counts(try Tool(arguments).finish()), hits)
    }
}
