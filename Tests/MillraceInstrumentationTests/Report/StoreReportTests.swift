// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceInstrumentation
import TestSupport
import Testing

@Suite("Reports of a running store", .timeLimit(.minutes(5)))
struct StoreReportTests {
    private let folder = TemporaryFolder()

    /// `small` causes `large`; the middleware `audit` works long for it.
    private func makeStore() -> ReduxStoreBase<Job, Int> {
        let audit = Handle<Job> { action in
            if case .large = action { work(for: .milliseconds(1)) }
            return action == .small ? IO { $0.dispatch(.large(1)) } : .pure()
        }
        return ReduxStoreBase(
            initialState: 0,
            reducer: counting(Job.self),
            middleware: audit.named("audit"),
            engine: .thread(name: "reports"),
            publication: .onDemand
        )
    }

    @Test("work in middlewares without a name is told as that, and not as the reducers'")
    func unnamed() async throws {
        let slow = Handle<Job> { _ in
            work(for: .milliseconds(1))
            return .pure()
        }
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Job.self),
            middleware: Handle<Job>().named("quick") <> slow,
            engine: .caller
        )
        let instrumentation = Instrumentation(store)
        for _ in 0..<50 { store.dispatch(.small) }
        let report = SlownessReport(await instrumentation.snapshot())
        let finding = try #require(report.findings.first { $0.text.contains("in middlewares without a name") })
        #expect(finding.text.hasPrefix("Of the work ") && finding.hint.contains("named(_:)"))
        #expect(!report.findings.contains { $0.text.contains("reducers") || $0.hint.contains("copies") })
        #expect(report.description.contains("\nwithout a name "))
    }

    @Test("what is slow is found, and all reports tell the same count")
    func all() async throws {
        let store = makeStore()
        let instrumentation = Instrumentation(store, label: "orders", traceRoom: 10_000)
        let trace = try TraceFile(path: folder.path + "/trace.json", label: "orders")
        for round in 1...5 {
            for _ in 0..<20 { store.dispatch(.small) }
            #expect(await eventually { await instrumentation.snapshot().measured == UInt64(40 * round) })
            try trace.append(await instrumentation.traceBatch())
        }
        try trace.close()
        let snapshot = await instrumentation.snapshot()
        let slowness = SlownessReport(snapshot)
        #expect(
            slowness.findings.contains { $0.text.contains("is the middleware audit") && $0.text.contains("for .large") }
        )
        #expect(slowness.busyShare > 0 && slowness.busyShare <= 1)

        let events = try #require(try folder.json("trace.json")["traceEvents"] as? [[String: Any]])
        func count(_ phase: String, _ category: String) -> Int {
            events.filter { $0["ph"] as? String == phase && $0["cat"] as? String == category }.count
        }
        #expect(trace.skipped == 0 && trace.missed == 0)
        #expect(count("X", "action") == 200)
        #expect(count("s", "cause") == 100 && count("f", "cause") == 100)

        try JSONReport(snapshot).write(toFile: folder.path + "/latency.json")
        let stages = try #require(try folder.json("latency.json")["stages"] as? [[String: Any]])
        #expect(stages.first?["name"] as? String == "queue" && stages.last?["name"] as? String == "total")
        #expect(stages.first { $0["name"] as? String == "audit" }?["count"] as? Int == 200)
        #expect(
            PrometheusReport(snapshot).description
                .contains(
                    "millrace_stage_duration_seconds_count{store=\"orders\",stage=\"audit\",role=\"middleware\"} 200\n"
                )
        )
        #expect(HTMLReport(snapshot).description.contains("<h1>orders</h1>"))
        let paths = try PercentileReport.write(snapshot, toFolder: folder.path + "/hgrm")
        #expect(
            paths.contains { $0.hasSuffix("/stage-audit.hgrm") }
                && paths.contains { $0.hasSuffix("/kind-large-work.hgrm") }
        )
        _ = await store.shutdown()
    }
}
