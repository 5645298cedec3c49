// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import Testing

@testable import MillraceCLI

/// Every engine the command offers.
let engines = EngineChoice.allCases

/// Analyses files in this process.
func analyse(
    _ paths: String...,
    format: LogFormat = .auto,
    producers: Int = 1,
    setup: StoreSetup = StoreSetup(),
    repeating passes: Int = 1,
    maximumKeys: Int = 1_000_000,
    hasPage: Bool = false,
    reducer: Reducer<LogAction, LogState> = .accessLog,
    watch: (LogShards, EventCounter) -> Void = { _, _ in }
) async throws -> Analysis.Outcome {
    let chunks = InputChunks(
        inputs: paths.map { InputSource($0) },
        repeating: passes,
        interruption: Interruption(),
        report: { message in Issue.record("\(message)") }
    )
    let analysis = Analysis(
        producers: producers,
        setup: setup,
        format: format,
        maximumKeys: maximumKeys,
        hasPage: hasPage,
        reducer: hasPage ? .accessLogWithPage : reducer
    )
    let outcome = try await analysis.run(chunks, watch: watch)
    #expect(outcome.imbalance == nil, "every test, as the command itself")
    return outcome
}

/// All counts of a state by readable names, whatever order they were found in.
func counts(_ state: LogState) -> [String: UInt64] {
    var result = ["events": state.events, "malformed": state.malformed, "bytes": state.bytes, "lines": state.lines]
    for (status, count) in state.statuses.enumerated() where count > 0 { result["status \(status)"] = count }
    for (name, table) in [
        ("host", state.hosts), ("path", state.paths), ("method", state.methods), ("minute", state.minutes),
    ] {
        for entry in table.top(.max) { result["\(name) \(entry.key.repaired)"] = entry.count }
        if table.other > 0 { result["\(name) (other)"] = table.other }
    }
    return result
}

/// The entries in which two counts differ, for a message that can be read.
func differences(_ first: [String: UInt64], _ second: [String: UInt64]) -> [String] {
    Set(first.keys).union(second.keys).sorted().filter { first[$0] != second[$0] }
        .prefix(10).map { "\($0): \(first[$0].map(String.init) ?? "-") and \(second[$0].map(String.init) ?? "-")" }
}
