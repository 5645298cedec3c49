// SPDX-License-Identifier: Apache-2.0

import Histogram
import Millrace
import MillraceInstrumentation
import TestSupport
import Testing

@Suite("Snapshots of several stores", .timeLimit(.minutes(5)))
struct MergingTests {
    @Test("counts, histograms, kinds, stages and columns add up by name")
    func merging() async throws {
        let echo = Handle<Job> { action in action == .stop ? IO { $0.dispatch(.small) } : .pure() }
        let other = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Job.self),
            middleware: Handle<Job>().named("second") <> echo.named("third"),
            engine: .caller
        )
        let stores = [jobStore(.caller), other]
        let instrumentations = stores.map { Instrumentation($0) }
        for number in 0..<100 {
            stores[0].dispatch(.large(number))
            stores[1].dispatch(number % 2 == 0 ? .stop : .large(number))
        }
        var parts: [InstrumentationSnapshot] = []
        for instrumentation in instrumentations { parts.append(await instrumentation.snapshot()) }
        let whole = InstrumentationSnapshot.merging(parts, label: "both")
        #expect(whole.label == "both")
        #expect(whole.actions == 250)
        #expect(whole.measured == 250)
        #expect(whole.stages.filter { $0.role == .middleware }.map(\.name) == ["first", "second", "third"])
        #expect(whole.stage("first")?.count == 100)
        #expect(whole.stage("second")?.count == 250)
        #expect(whole.stage("third")?.count == 150)
        #expect(whole.stage("effects")?.count == 50)
        #expect(whole.kind("large")?.count == 150)
        #expect(whole.kind("small")?.count == 50)
        #expect(whole.series.columns.reduce(0) { $0 + $1.total } == 250)
        for (index, stage) in whole.stages.enumerated() where stage.role != .publication {
            #expect(whole.kinds.reduce(0) { $0 + $1.nanosecondsByStage[index] } == stage.latency.nanoseconds)
        }
        #expect(whole.stages.last?.role == .total)
        #expect(whole.since == parts.map(\.since).min() && whole.until == parts.map(\.until).max())
        #expect(InstrumentationSnapshot.merging([], label: "none").stages.isEmpty)
    }
}
