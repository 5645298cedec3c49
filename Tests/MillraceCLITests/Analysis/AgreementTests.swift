// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import Testing

@testable import MillraceCLI

/// A real log beside the package, which need not be there.
let sharedLog = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("../shared/data/apache_access.log").path

/// Count by count against awk, which reads the same file with a grammar of its own (Support/AwkCount.swift).
@Suite(.enabled(if: hasAwk, "awk is not installed"))
struct AgreementTests {
    private func expectAgreement(_ path: String, producers: Int, engine: EngineChoice) async throws -> LogState {
        try await expectAgreement(path, awkCounts(path), producers, StoreSetup(engine: engine))
    }

    private func expectAgreement(
        _ path: String,
        _ expected: [String: UInt64],
        _ producers: Int,
        _ setup: StoreSetup
    ) async throws -> LogState {
        let outcome = try await analyse(path, producers: producers, setup: setup)
        let found = counts(outcome.state).withMinutesSince1970
        #expect(differences(found, expected) == [], "\(setup)")
        #expect(outcome.parsed == outcome.state.events)
        #expect(outcome.state.events + outcome.state.malformed == outcome.state.lines)
        #expect(outcome.metrics.offered == outcome.metrics.reduced)
        #expect(outcome.metrics.pending == 0)
        return outcome.state
    }

    @Test(arguments: [1, 2, 4], engines)
    func onAGeneratedLogWithMalformedLines(_ producers: Int, _ engine: EngineChoice) async throws {
        let scratch = Scratch()
        let path = try scratch.file("generated.log", generatedLog(lines: 20_000, seed: 3))
        let state = try await expectAgreement(path, producers: producers, engine: engine)
        #expect(state.lines == 20_000)
        #expect(5..<50 ~= state.malformed)
    }

    /// Bounded by blocking, nothing is lost, and the shards add up to one store, on every engine.
    @Test(arguments: engines, [1, 3])
    func whateverTheEngineTheCapacityAndTheShards(_ engine: EngineChoice, _ shards: Int) async throws {
        let scratch = Scratch()
        let log = mutated(generatedLog(lines: 4000, seed: 11), oneIn: 20, seed: 11)
        let path = try scratch.file("generated.log", log)
        let expected = try awkCounts(path)
        for (capacity, producers) in [(nil, 1), (nil, 3), (64, 1), (64, 3), (1, 3)] {
            let setup = StoreSetup(engine: engine, shards: shards, requestedCapacity: capacity)
            let state = try await expectAgreement(path, expected, producers, setup)
            #expect(state.lines == 4000)
            #expect(state.malformed > 50)
        }
    }

    /// Every way in which a line may just be an event, or just not: two implementations of one grammar.
    @Test(arguments: 1...6)
    func onALogWithMutatedLines(_ seed: Int) async throws {
        let scratch = Scratch()
        let log = mutated(generatedLog(lines: 6000, seed: UInt64(seed)), oneIn: 2, seed: UInt64(seed))
        let state = try await expectAgreement(scratch.file("mutated.log", log), producers: 2, engine: .thread)
        #expect(500..<3000 ~= state.malformed)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: sharedLog), "the shared access log is not here"))
    func onTheSharedLog() async throws {
        for producers in [1, 2, 4] {
            for engine in engines {
                let state = try await expectAgreement(sharedLog, producers: producers, engine: engine)
                #expect(state.events == 10_000)
                #expect(state.malformed == 0)
            }
        }
    }

    /// What awk says without any grammar, from the fields that blanks separate: what people check with.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: sharedLog), "the shared access log is not here"))
    func withPlainFieldsOnTheSharedLog() async throws {
        let script = """
            { status[$9]++; path[$7]++; host[$1]++; sub(/^"/, "", $6); method[$6]++; bytes += $10 }
            END {
                printf "%.0f bytes\\n%.0f events\\n", bytes, NR
                for (k in status) print status[k], "status", k
                for (k in path) print path[k], "path", k
                for (k in host) print host[k], "host", k
                for (k in method) print method[k], "method", k
            }
            """
        let result = try Tool(["awk", script, sharedLog], at: "/usr/bin/env").finish()
        var expected: [String: UInt64] = [:]
        for line in result.text.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            expected[String(parts[1])] = UInt64(parts[0])
        }
        let state = try await analyse(sharedLog, producers: 2).state
        let found = counts(state).filter { key, _ in
            !["lines", "malformed"].contains(key) && !key.hasPrefix("minute ")
        }
        #expect(differences(found, expected) == [])
    }
}
