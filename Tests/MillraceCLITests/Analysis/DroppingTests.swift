// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import Synchronization
import Testing

@testable import MillraceCLI

/// What `--overflow` drops: which events, and that the counters count every one of them.
@Suite(.timeLimit(.minutes(5))) struct DroppingTests {
    private let scratch = Scratch()

    /// A log of 500 lines that differ only in their status, 100 to 599: so a report tells which were counted.
    private func numberedLog() throws -> String {
        let lines = (100..<600).map { "h - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" \($0) 1\n" }
        return try scratch.file("numbered.log", Array(lines.joined().utf8))
    }

    /// Counts that log by a store that does not get past its first event before everything has been dispatched.
    private func countSlowly(_ engine: EngineChoice, _ overflow: OverflowChoice) async throws -> Analysis.Outcome {
        let shards = Mutex<LogShards?>(nil)
        // Four texts, an end of a chunk, and the events.
        let everything: UInt64 = 505
        let late = Reducer<LogAction, LogState>.reduce { action, _ in
            guard case .event = action else { return }
            while shards.withLock({ $0?.metrics.offered ?? 0 }) < everything { pauseThread(microseconds: 100) }
        }
        return try await analyse(
            numberedLog(),
            setup: StoreSetup(engine: engine, requestedCapacity: 64, overflow: overflow),
            reducer: late <> .accessLog,
            watch: { found, _ in shards.withLock { $0 = found } }
        )
    }

    private func expectExactCounters(_ outcome: Analysis.Outcome, lines: UInt64) {
        let state = outcome.state
        #expect(state.lines == lines)
        #expect(outcome.parsed + state.malformed == lines)
        #expect(state.events + outcome.metrics.dropped == outcome.parsed)
        #expect(outcome.metrics.rejected == 0)
        for table in [state.hosts, state.paths, state.minutes, state.methods] {
            #expect(table.counts.reduce(0, +) == state.events)
        }
        #expect(state.statuses.reduce(0, +) == state.events)
    }

    /// The places of the lines that were counted.
    private func places(_ state: LogState) -> [Int] {
        state.statuses.indices.filter { state.statuses[$0] > 0 }.map { $0 - 100 }
    }

    @Test(arguments: [EngineChoice.thread, .queue, .main])
    func dropNewestKeepsTheFirst(_ engine: EngineChoice) async throws {
        let outcome = try await countSlowly(engine, .dropNewest)
        expectExactCounters(outcome, lines: 500)
        // The capacity, less what the other actions take of it.
        #expect(59...64 ~= outcome.state.events)
        #expect(places(outcome.state) == Array(0..<Int(outcome.state.events)))
    }

    /// It keeps twice the capacity until the store comes to it, and drops from the head down to the capacity.
    @Test(arguments: [EngineChoice.thread, .queue, .main])
    func dropOldestMakesRoomForLaterOnes(_ engine: EngineChoice) async throws {
        let outcome = try await countSlowly(engine, .dropOldest)
        expectExactCounters(outcome, lines: 500)
        let places = places(outcome.state)
        // The capacity, less what the other actions take of it; and up to a batch that was under way.
        #expect(59...64 + 16 ~= places.count)
        let last = try #require(places.last)
        // Later still if it dropped some between the texts, before its first event.
        #expect(122... ~= last)
        // The newest that went in. If it made room in the middle of the run, those are missing that came just before,
        // when there was none.
        let newest = places.suffix(59)
        #expect(zip(newest, newest.dropFirst()).count { $1 != $0 + 1 } <= 1, "\(places)")
    }

    @Test(arguments: engines, [OverflowChoice.dropNewest, .dropOldest])
    func theCountersAreExact(_ engine: EngineChoice, _ overflow: OverflowChoice) async throws {
        let log = mutated(generatedLog(lines: 6000, seed: 5), oneIn: 10, seed: 5)
        let path = try scratch.file("generated.log", log)
        let whole = try await analyse(path).state
        for (shards, capacity) in [(1, 1), (1, 64), (3, 1), (3, 64)] {
            let setup = StoreSetup(engine: engine, shards: shards, requestedCapacity: capacity, overflow: overflow)
            let stores = Mutex<LogShards?>(nil)
            // No event is counted before one was dropped.
            let late = Reducer<LogAction, LogState>.reduce { action, _ in
                guard case .event = action else { return }
                while stores.withLock({ $0?.metrics.dropped ?? 0 }) == 0 { pauseThread(microseconds: 100) }
            }
            let outcome = try await analyse(
                path,
                producers: 3,
                setup: setup,
                // A producer that drains the store itself would wait for the others, which may have nothing more.
                reducer: engine == .caller ? .accessLog : late <> .accessLog,
                watch: { found, _ in stores.withLock { $0 = found } }
            )
            if engine != .caller { #expect(outcome.metrics.dropped > 0) }
            expectExactCounters(outcome, lines: 6000)
            #expect(outcome.parsed == whole.events)
            // What is not an event is never dropped.
            #expect(outcome.state.reasons == whole.reasons)
            #expect(outcome.state.ledger.samples == whole.ledger.samples)
        }
    }

    /// A producer that is alone drains the store whenever it dispatches: there is room for all of them.
    @Test(arguments: [OverflowChoice.dropNewest, .dropOldest])
    func aSingleCallerDropsNothing(_ overflow: OverflowChoice) async throws {
        for (shards, capacity) in [(1, 1), (3, 64)] {
            let setup = StoreSetup(engine: .caller, shards: shards, requestedCapacity: capacity, overflow: overflow)
            let outcome = try await analyse(numberedLog(), setup: setup)
            expectExactCounters(outcome, lines: 500)
            #expect(outcome.metrics.dropped == 0)
        }
    }

    @Test func waitingLosesNothing() async throws {
        let outcome = try await analyse(numberedLog(), setup: StoreSetup(requestedCapacity: 64))
        expectExactCounters(outcome, lines: 500)
        #expect(places(outcome.state) == Array(0..<500))
    }
}

/// The check that the command makes before it lets anybody believe a report.
@Suite struct ImbalanceTests {
    @Test func everyContradictionIsFound() async throws {
        let scratch = Scratch()
        let path = try scratch.file("a.log", generatedLog(lines: 2000, seed: 1))
        let sound = try await analyse(path)
        #expect(sound.imbalance == nil)
        let changes: [(inout Analysis.Outcome) -> Void] = [
            { $0.parsed += 1 }, { $0.parsed -= 1 },
            // An event that was dropped, but not missing, and the other way round.
            {
                $0.metrics.offered += 1; $0.metrics.dropped += 1
            },
            {
                $0.metrics.dropped += 1; $0.parsed += 1
            },
            {
                $0.metrics.offered += 1; $0.metrics.pending += 1
            }, { $0.metrics.reduced -= 1 },
            { $0.metrics.rejected += 1 }, { $0.state.close(.init(chunk: 99, lines: 1, input: 0, pass: 0)) },
            { $0.state.count(MalformedLine(chunk: 0, line: 0, reason: .host)) },
        ]
        for (number, change) in changes.enumerated() {
            var outcome = sound
            change(&outcome)
            #expect(outcome.imbalance != nil, "change \(number)")
        }
    }
}
