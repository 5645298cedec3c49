// SPDX-License-Identifier: Apache-2.0

import Millrace
import Testing

@testable import MillraceInstrumentation

/// Stages of middlewares that come when the store is running.
@Suite("Stages of plugins", .timeLimit(.minutes(5)))
struct StageIndexTests {
    private static let names: [MiddlewareName] = [
        "p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "p10", "p11", "p12", "p13", "p14", "p15", "p16",
        "p17", "p18", "p19",
    ]

    /// What there should be after each of 20 plugins has seen `each` actions.
    private func check(_ snapshot: InstrumentationSnapshot, each: UInt64) throws {
        let places = Self.names.prefix(16).map { "\($0)" }
        #expect(
            snapshot.stages.map(\.name)
                == ["queue", "first", "second"] + places + ["other", "reducers", "total"]
        )
        for name in places { #expect(snapshot.stage(name).count == each) }
        // The 4 that found no place, together, and nothing is missed.
        #expect(snapshot.stage("other").count == 4 * each)
        #expect(snapshot.stage("other").nanoseconds >= 4 * each * 1_000_000)
        #expect(snapshot.missedStages == 0)
        // In the sums of the kinds, too.
        let other = try #require(snapshot.stages.firstIndex { $0.name == "other" })
        #expect(snapshot.stages[other].role == .middleware)
        let sums = snapshot.kind("small").nanosecondsByStage
        #expect(sums[other] == snapshot.stages[other].latency.nanoseconds)
        let parts = zip(snapshot.stages, sums).filter { $0.0.role.isWork }.reduce(0) { $0 + $1.1 }
        #expect(parts <= snapshot.kind("small").work.nanoseconds)
    }

    private let slow = Handle<Job> { _ in
        work(for: .milliseconds(1))
        return .pure()
    }

    @Test("16 names that come later have a stage each, the others one together: plugins one after another")
    func oneAfterAnother() async throws {
        let store = jobStore(.caller)
        let instrumentation = Instrumentation(store)
        for name in Self.names {
            try await store.plugins.install(slow, as: name)
            store.dispatch(.small)
            try await store.plugins.remove(name)
        }
        try check(await instrumentation.snapshot(), each: 1)
        // The same names again go on with their stages.
        for name in Self.names.reversed() {
            try await store.plugins.install(slow, as: name)
            store.dispatch(.small)
            try await store.plugins.remove(name)
        }
        try check(await instrumentation.snapshot(), each: 2)
    }

    @Test("16 names that come later have a stage each, the others one together: plugins at once")
    func atOnce() async throws {
        let store = jobStore(.caller)
        let instrumentation = Instrumentation(store)
        for name in Self.names { try await store.plugins.install(slow, as: name) }
        for _ in 0..<3 { store.dispatch(.small) }
        try check(await instrumentation.snapshot(), each: 3)
    }

    @Test("names that are there from the start take no place of those that come later, nor does a text twice")
    func fromTheStart() {
        let atStart: [MiddlewareName] = ["a", "b", "a", "other", "c"]
        var index = StageIndex(atStart)
        defer { index.deallocate() }
        #expect(index.limit == StageIndex.fixed + 3 + StageIndex.spare)
        #expect(
            atStart.map { index.index(of: $0) } == [0, 1, 0].map { $0 + StageIndex.fixed } + [
                StageIndex.other, StageIndex.fixed + 2,
            ]
        )
        let later = Self.names.map { index.index(of: $0) }
        #expect(
            later == Array(StageIndex.fixed + 3..<StageIndex.fixed + 19) + Array(repeating: StageIndex.other, count: 4)
        )
        #expect(index.names.count == index.limit)
        // A name keeps its place.
        #expect(Self.names.map { index.index(of: $0) } == later)
    }
}
