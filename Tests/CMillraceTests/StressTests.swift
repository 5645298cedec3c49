// SPDX-License-Identifier: Apache-2.0

import CMillraceStress
import TestSupport
import Testing

/// Tagged sequences from real threads: nothing lost, doubled, reordered or damaged, and memory given back.
@Suite("C core under stress", .serialized, .timeLimit(.minutes(10)))
struct StressTests {
    static let seed = UInt64.random(in: 0...UInt64(UInt32.max))

    struct Plan: CustomTestStringConvertible, Sendable {
        var producers: UInt32
        var parks = false
        var trims = false
        var leavesSome = false
        var windows = false
        var testDescription: String {
            "\(producers) producers\(parks ? ", parking" : "")\(trims ? ", trimming" : "")\(leavesSome ? ", left early" : "")\(windows ? ", with windows" : "")"
        }
    }

    static let plans = [
        Plan(producers: 1), Plan(producers: 2, parks: true), Plan(producers: 4, trims: true), Plan(producers: 8),
        Plan(producers: 8, parks: true, trims: true), Plan(producers: 8, parks: true, trims: true, leavesSome: true),
        Plan(producers: 2, windows: true), Plan(producers: 8, parks: true, trims: true, windows: true),
        Plan(producers: 8, parks: true, trims: true, leavesSome: true, windows: true),
    ]

    @Test("tagged sequences", arguments: plans)
    func taggedSequences(plan: Plan) async throws {
        let result = Shared<millrace_stress_report?>(nil)
        // Not on a thread of the pool: it waits for all readers of the process, and a task may have to end a reading.
        await elsewhere { result.value = run(plan) }
        let report = try #require(result.value)
        let replay: Comment = "seed \(Self.seed), \(report)"
        #expect(report.sent > 0, replay)
        #expect(report.received == report.sent, replay)
        #expect(report.lost == 0, replay)
        #expect(report.doubled == 0, replay)
        #expect(report.reordered == 0, replay)
        #expect(report.damaged == 0, replay)
        #expect(report.stuck == 0, replay)
        #expect(report.segments_left == 0, replay)
        #expect((report.visited > 0) == plan.leavesSome, replay)
        // With eight producers for two processors some are always stopped in the middle of a run.
        if plan.windows, plan.producers == 8 { #expect(report.early > 0, replay) }
    }

    private func run(_ plan: Plan) -> millrace_stress_report {
        millrace_stress(
            millrace_stress_plan(
                seed: Self.seed,
                producers: plan.producers,
                seconds: 2,
                a_round: 20_000,
                parks: plan.parks,
                trims: plan.trims,
                leaves_some: plan.leavesSome,
                windows: plan.windows
            )
        )
    }

    @Test("ring: a reader never accepts an entry that is being overwritten", arguments: [2, 8, 1024] as [UInt64])
    func ring(capacity: UInt64) {
        let report = millrace_ring_stress(Self.seed, 3, capacity, 1)
        #expect(report.damaged == 0, "\(report)")
        #expect(report.read > 0, "\(report)")
        #expect(report.appended > capacity, "\(report)")
    }
}
