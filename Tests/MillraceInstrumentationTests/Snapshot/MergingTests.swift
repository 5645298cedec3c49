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
        #expect(whole.stage("first").count == 100)
        #expect(whole.stage("second").count == 250)
        #expect(whole.stage("third").count == 150)
        #expect(whole.stage("effects").count == 50)
        #expect(whole.kind("large").count == 150)
        #expect(whole.kind("small").count == 50)
        #expect(whole.series.columns.reduce(0) { $0 + $1.total } == 250)
        for (index, stage) in whole.stages.enumerated() where stage.role != .publication {
            #expect(whole.kinds.reduce(0) { $0 + $1.nanosecondsByStage[index] } == stage.latency.nanoseconds)
        }
        #expect(whole.stages.last?.role == .total)
        #expect(whole.since == parts.map(\.since).min() && whole.until == parts.map(\.until).max())
        #expect(InstrumentationSnapshot.merging([], label: "none").stages.isEmpty)
    }

    @Test("stores with different rates of the sample are mixed; one that is off changes nothing")
    func rates() async {
        func snapshot(oneIn rate: Int?) async -> InstrumentationSnapshot {
            let store = jobStore(.caller)
            let instrumentation = Instrumentation(store, oneIn: rate ?? 1, isOn: rate != nil)
            store.dispatch(.small)
            return await instrumentation.snapshot()
        }
        let (two, sixteen, off) = (await snapshot(oneIn: 2), await snapshot(oneIn: 16), await snapshot(oneIn: nil))
        #expect(!two.isMixed && !sixteen.isMixed && !off.isMixed)
        #expect(InstrumentationSnapshot.merging([two, sixteen], label: "").isMixed)
        #expect(!InstrumentationSnapshot.merging([two, two], label: "").isMixed)
        #expect(!InstrumentationSnapshot.merging([two, off], label: "").isMixed)
    }
}
