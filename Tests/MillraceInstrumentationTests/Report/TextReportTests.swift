// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceInstrumentation
import Testing

@Suite("Reports as text")
struct TextReportTests {
    @Test("the table of a small snapshot")
    func table() {
        #expect(
            LatencyTable(SampleSnapshots.small).description == """
                orders: 10 actions in 100 µs

                stage     count      p50      p90      p99    p99.9   p99.99      max
                queue        10   100 ns  9.01 µs  11.0 µs  11.0 µs  11.0 µs  11.0 µs
                audit         2  3.00 µs  5.00 µs  5.00 µs  5.00 µs  5.00 µs  5.00 µs
                reducers     10   100 ns  1.00 µs  1.00 µs  1.00 µs  1.00 µs  1.00 µs
                total        10   200 ns  13.0 µs  17.0 µs  17.0 µs  17.0 µs  17.0 µs

                kind             count      p50      p90      p99    p99.9   p99.99      max
                upload  waiting      2  9.02 µs  11.0 µs  11.0 µs  11.0 µs  11.0 µs  11.0 µs
                        working      2  4.01 µs  6.00 µs  6.00 µs  6.00 µs  6.00 µs  6.00 µs
                        in all       2  13.1 µs  17.0 µs  17.0 µs  17.0 µs  17.0 µs  17.0 µs
                ping    waiting      8   100 ns   100 ns   100 ns   100 ns   100 ns   100 ns
                        working      8   100 ns   100 ns   100 ns   100 ns   100 ns   100 ns
                        in all       8   200 ns   200 ns   200 ns   200 ns   200 ns   200 ns

                """
        )
    }

    @Test("why it is slow, of a small snapshot")
    func slowness() {
        #expect(
            SlownessReport(SampleSnapshots.small).description == """
                orders: why is it slow?

                1. 66 % of an action's time is waiting in the queue (2.08 µs on average), 34 % is work (1.08 µs).
                   → The producers are the slower side: the pipeline is busy 11 % of the time, finishes 100 k/s, and \
                could finish 926 k/s. Actions wait because they come in bursts (about 3 at once), or because the \
                pipeline must wake up first: spread them, dispatch them with one call (`dispatch(contentsOf:)`), or \
                choose `.thread(latency: .lowLatency)`.
                2. Of the work 74 % is the middleware audit, all of it for .upload.
                   → Let `handle` only decide, and run the slow code in an effect; or lift or gate the middleware, so \
                that it handles fewer actions.
                3. Then the reducers, 26 % of the work.
                   → Look for copies of large values (change them in place), for searches through arrays, and for \
                work that belongs in an effect.
                4. .upload is 20 % of the actions and 93 % of the work: 5.00 µs each.
                   → All other kinds wait behind it: shorten it first, split it into several actions, or dispatch it less \
                often.
                5. Only 10 actions were measured.
                   → Shares of so few actions say little: measure longer, or measure more of them.

                kind     actions  of all time  waiting  working  average
                .upload        2         95 %     67 %     33 %  15.0 µs
                .ping          8        5.1 %     50 %     50 %   200 ns

                work in   for      of the work  of all time  average
                audit     .upload         74 %         25 %  4.00 µs
                reducers  .upload         19 %        6.3 %  1.00 µs
                reducers  .ping          7.4 %        2.5 %   100 ns

                """
        )
    }

    @Test("middlewares that found no stage of their own are no middleware of that name")
    func others() {
        let work = SampleSnapshots.latency([80_000])
        let report = SlownessReport(
            SampleSnapshots.snapshot(
                actions: 1,
                stages: [StageSnapshot(name: "other", role: .middleware, latency: work)],
                kinds: [
                    KindSnapshot(name: "a", count: 1, wait: work, work: work, total: work, nanosecondsByStage: [80_000])
                ]
            )
        )
        #expect(report.findings.contains { $0.text == "Of the work 100 % is other middlewares." })
    }

    @Test("a hot reducer is the first row, and named with its kind")
    func hotReducer() throws {
        let fast = SampleSnapshots.latency(Array(repeating: 100 as UInt64, count: 200))
        let hot = SampleSnapshots.latency(Array(repeating: 80_000 as UInt64, count: 200))
        let report = SlownessReport(
            SampleSnapshots.snapshot(
                actions: 400,
                stages: [
                    StageSnapshot(name: "queue", role: .queue, latency: fast),
                    StageSnapshot(name: "log", role: .middleware, latency: fast),
                    StageSnapshot(name: "reducers", role: .reducers, latency: hot),
                ],
                kinds: [
                    KindSnapshot(
                        name: "ping",
                        count: 200,
                        wait: fast,
                        work: fast,
                        total: fast,
                        nanosecondsByStage: [20_000, 20_000, 0]
                    ),
                    KindSnapshot(
                        name: "sort",
                        count: 200,
                        wait: fast,
                        work: hot,
                        total: hot,
                        nanosecondsByStage: [20_000, 20_000, 15_960_000]
                    ),
                ]
            )
        )
        #expect(report.waitingShare < 0.01)
        #expect(report.findings[0].text.hasPrefix("99.8 % of an action's time is work"))
        #expect(
            report.findings[1].text == """
                Of the work 99.6 % is the reducers, or a copy that they must make because a lift or other code keeps the \
                state, all of it for .sort. The time depends on the kind, which is a sign of the reducers' own work: \
                from 0 ns for .ping to 79.8 µs for .sort.
                """
        )
        let rows = report.description.split(separator: "\n")
        let first = try #require(rows.firstIndex { $0.hasPrefix("work in") }) + 1
        #expect(rows[first].split(separator: " ").prefix(2) == ["reducers", ".sort"])
    }

    /// A kind whose reducers take 80 of 1,000 µs of work.
    private func cheap(unnamed: UInt64, wait: UInt64 = 1, unit: UInt64 = 1000) -> SlownessReport {
        let work = SampleSnapshots.latency([1000 * unit])
        let reducers = SampleSnapshots.latency([80 * unit])
        return SlownessReport(
            SampleSnapshots.snapshot(
                actions: 1,
                stages: [StageSnapshot(name: "reducers", role: .reducers, latency: reducers)],
                kinds: [
                    KindSnapshot(
                        name: "a",
                        count: 1,
                        wait: SampleSnapshots.latency([wait]),
                        work: work,
                        total: work,
                        nanosecondsByStage: [80 * unit],
                        unnamedNanoseconds: unnamed
                    )
                ]
            )
        )
    }

    @Test("the rows of the work add up to all of it; what no stage has is told first where it is most of it")
    func rest() throws {
        let unnamed = cheap(unnamed: 900_000)
        #expect(unnamed.findings[1].text == "Of the work 90 % is in middlewares without a name.")
        #expect(unnamed.findings[1].hint.contains("`named(_:)`"))
        let own = cheap(unnamed: 0)
        #expect(own.findings[1].text == "Of the work 92 % is the pipeline itself and the measurement.")
        for report in [unnamed, own] { #expect(!report.findings.contains { $0.hint.contains("copies") }) }
        #expect(!own.findings.contains { $0.hint.contains("named(_:)") })
        for finding in unnamed.findings + own.findings {
            #expect(!finding.hint.contains("\n") && !finding.hint.contains("\\"))
        }
        let rows = unnamed.description.split(separator: "\n").drop { !$0.hasPrefix("work in") }.dropFirst()
        #expect(
            rows.map { $0.prefix { $0 != "." }.trimmingCharacters(in: .whitespaces) } == [
                "without a name", "reducers", "pipeline, measuring",
            ]
        )
        let shares = try rows.map { try #require(Double($0.firstMatch(of: /([0-9.]+) %/)?.output.1 ?? "")) }
        #expect(shares == [90, 8, 2])
    }

    @Test("of what takes hardly longer than measuring it nothing is to be gained")
    func tiny() {
        let report = cheap(unnamed: 700, unit: 1)
        #expect(report.findings[1].text == "Of the work 70 % is in middlewares without a name.")
        #expect(report.findings[1].hint.contains("is the pipeline itself and the measurement"))
        let fast = SampleSnapshots.latency([190])
        let reducers = SlownessReport(
            SampleSnapshots.snapshot(
                actions: 1,
                stages: [StageSnapshot(name: "reducers", role: .reducers, latency: fast)],
                kinds: [
                    KindSnapshot(name: "a", count: 1, wait: fast, work: fast, total: fast, nanosecondsByStage: [190])
                ]
            )
        )
        #expect(reducers.findings[1].text == "Of the work 100 % is the reducers.")
        #expect(reducers.findings[1].hint.contains("nothing to gain"))
    }

    @Test("stages that lie within others are not counted twice in what is left")
    func nested() {
        let (outer, inner) = (SampleSnapshots.latency([900_000]), SampleSnapshots.latency([600_000]))
        let work = SampleSnapshots.latency([1_000_000])
        func report(_ nested: UInt64) -> SlownessReport {
            SlownessReport(
                SampleSnapshots.snapshot(
                    actions: 1,
                    stages: [
                        StageSnapshot(name: "outer", role: .middleware, latency: outer),
                        StageSnapshot(name: "inner", role: .middleware, latency: inner),
                    ],
                    kinds: [
                        KindSnapshot(
                            name: "a",
                            count: 1,
                            wait: work,
                            work: work,
                            total: work,
                            nanosecondsByStage: [900_000, 600_000],
                            nestedNanoseconds: nested
                        )
                    ]
                )
            )
        }
        #expect(report(600_000).description.contains(/pipeline, measuring +\.a +10 %/))
        #expect(!report(0).description.contains("pipeline, measuring"))
    }

    @Test("a stage that is first with a small share gets no advice")
    func spread() {
        let times = (0..<10).map { UInt64(100_000 + $0) }
        let work = SampleSnapshots.latency([times.reduce(0, +)])
        let report = SlownessReport(
            SampleSnapshots.snapshot(
                actions: 1,
                stages: times.enumerated().map { index, time in
                    StageSnapshot(
                        name: "stage \(index)",
                        role: index == 9 ? .reducers : .middleware,
                        latency: SampleSnapshots.latency([time])
                    )
                },
                kinds: [
                    KindSnapshot(name: "a", count: 1, wait: work, work: work, total: work, nanosecondsByStage: times)
                ]
            )
        )
        #expect(report.findings[1].text.hasPrefix("Of the work 10 % is the reducers, or a copy "))
        #expect(report.findings[1].hint == "No stage stands out: the work is spread over many.")
    }

    @Test(
        "a share and the rest are rounded to the same place, in sentences, tables and the page alike",
        arguments: [
            (19_700_000 as UInt64, "95.2 %", "4.8 %"), (65_666_666, "98.5 %", "1.5 %"), (1_000_000, "50 %", "50 %"),
            (199_000_000, "99.5 %", "0.5 %"), (100_000_000_000, "> 99.9 %", "< 0.1 %"), (1_985_000, "66 %", "34 %"),
        ]
    )
    func rounding(wait: UInt64, waiting: String, working: String) {
        let report = cheap(unnamed: 0, wait: wait)
        #expect(report.findings[0].text.hasPrefix("\(waiting) of an action's time is waiting"))
        #expect(report.findings[0].text.contains(", \(working) is work"))
        #expect(report.description.contains(" \(waiting)") && report.description.contains(" \(working)"))
    }

    @Test("a store whose producers are the slower side is not told to have a capacity")
    func capacity() {
        let report = cheap(unnamed: 0, wait: 100_000_000)
        #expect(!report.description.contains("capacity"))
    }

    @Test("what nothing was measured of is said, not divided by")
    func empty() {
        #expect(SlownessReport(SampleSnapshots.empty).findings.map(\.text) == ["Nothing was measured."])
        #expect(SlownessReport(SampleSnapshots.empty).busyShare == 0)
        #expect(LatencyTable(SampleSnapshots.empty).description.hasPrefix("orders: 0 actions in 2.00 s\n"))
        let idle = SampleSnapshots.snapshot(stages: [
            StageSnapshot(name: "queue", role: .queue, latency: SampleSnapshots.latency([]))
        ])
        #expect(LatencyTable(idle).description.contains("queue      0    –    –    –      –       –    –"))
    }

    @Test("hostile names neither control the terminal nor break the lines")
    func hostile() {
        let texts = ["\(LatencyTable(SampleSnapshots.hostile))", "\(SlownessReport(SampleSnapshots.hostile))"]
        for text in texts {
            #expect(
                !text.unicodeScalars.contains { ($0.value < 32 && $0 != "\n") || $0 == "\u{202E}" || $0 == "\u{2028}" }
            )
            #expect(text.contains("\\u{1b}[31m"))
        }
        let names = SampleSnapshots.hostileNames.count * 2
        #expect(texts[0].split(separator: "\n").count == 2 + names + 1 + names * 3 + 1 + names + 1)
        #expect(texts[0].contains("…"))
    }

    @Test("sampling, outliers and stages that were missed are said")
    func remarks() {
        let text = LatencyTable(
            SampleSnapshots.snapshot(
                actions: 32_000,
                measured: 2_000,
                sampling: 16,
                missedStages: 7,
                stages: [
                    StageSnapshot(name: "queue", role: .queue, latency: SampleSnapshots.latency([1, .max / 4]))
                ]
            )
        ).description
        #expect(text.hasPrefix("orders: 32,000 actions (2,000 measured, 1 in 16) in 2.00 s\n"))
        #expect(text.contains("1 measured duration was longer than an hour. 7 stages were not measured"))
        #expect(text.contains("1280000 h") || text.contains("1281024 h"))
    }
}
