// SPDX-License-Identifier: Apache-2.0

import Foundation
import Histogram
import MillraceInstrumentation
import TestSupport

/// Snapshots to make reports of.
enum SampleSnapshots {
    /// Nothing was measured.
    static let empty = snapshot()

    /// A snapshot with what matters to a test.
    static func snapshot(
        label: String = "orders",
        actions: UInt64 = 0,
        measured: UInt64? = nil,
        sampling: Int = 1,
        active: Duration = .seconds(2),
        missedStages: UInt64 = 0,
        stages: [StageSnapshot] = [],
        kinds: [KindSnapshot] = [],
        effects: [EffectSnapshot] = [],
        series: LatencySeries = LatencySeries(columnNanoseconds: 1_000_000)
    ) -> InstrumentationSnapshot {
        InstrumentationSnapshot(
            label: label,
            since: 1_760_000_000_000_000_000,
            until: 1_760_000_000_000_000_000 + UInt64(active / .nanoseconds(1)),
            active: active,
            sampling: sampling,
            actions: actions,
            measured: measured ?? actions,
            missedStages: missedStages,
            stages: stages,
            kinds: kinds,
            effects: effects,
            series: series,
            memory: 3_500_000,
            mostMemory: 8_000_000
        )
    }

    static func latency(_ values: some Sequence<UInt64>, stage: Bool = true) -> LatencyDistribution {
        var latency = LatencyDistribution(digits: stage ? .three : .two)
        for value in values { latency.record(value) }
        return latency
    }

    /// A small one, whose figures can be told by heart: `upload` waits long and works in `audit`, `ping` does neither.
    static let small: InstrumentationSnapshot = {
        let (waits, audits, reduces) = (
            [9_000, 11_000] as [UInt64], [3_000, 5_000] as [UInt64], [1_000, 1_000] as [UInt64]
        )
        let pings = Array(repeating: 100 as UInt64, count: 8)
        return snapshot(
            actions: 10,
            active: .microseconds(100),
            stages: [
                StageSnapshot(name: "queue", role: .queue, latency: latency(waits + pings)),
                StageSnapshot(name: "audit", role: .middleware, latency: latency(audits)),
                StageSnapshot(name: "reducers", role: .reducers, latency: latency(reduces + pings)),
                StageSnapshot(name: "total", role: .total, latency: latency([13_000, 17_000] + pings.map { $0 * 2 })),
            ],
            kinds: [
                KindSnapshot(
                    name: "upload",
                    count: 2,
                    wait: latency(waits, stage: false),
                    work: latency([4_000, 6_000], stage: false),
                    total: latency([13_000, 17_000], stage: false),
                    nanosecondsByStage: [20_000, 8_000, 2_000, 30_000]
                ),
                KindSnapshot(
                    name: "ping",
                    count: 8,
                    wait: latency(pings, stage: false),
                    work: latency(pings, stage: false),
                    total: latency(pings.map { $0 * 2 }, stage: false),
                    nanosecondsByStage: [800, 0, 800, 1_600]
                ),
            ]
        )
    }()

    /// Names that break what does not escape them.
    static let hostileNames = [
        "</script><script>alert(1)</script>", "a\"b\\c\nd", "é\u{202E}\u{1B}[31m\u{0}", "", "<!--", "other",
        String(repeating: "long", count: 100), "a/b", "a b", "queue", "${x}`'", "]]>&amp;\u{2028}",
    ]

    /// Stages, kinds and effects with hostile names, two of each name.
    static let hostile: InstrumentationSnapshot = {
        let names = hostileNames + hostileNames
        let roles = StageSnapshot.Role.allCases
        let times: [UInt64] = [0, 1, 1_000, 3_600_000_000_000, 3_600_000_000_001, .max / 2]
        return snapshot(
            label: hostileNames[0] + hostileNames[1],
            actions: .max,
            measured: 6,
            sampling: .max,
            active: .seconds(Int64.max / 1_000_000_000),
            missedStages: .max,
            stages: names.enumerated().map { index, name in
                StageSnapshot(name: name, role: roles[index % roles.count], latency: latency(times))
            },
            kinds: names.map { name in
                KindSnapshot(
                    name: name,
                    count: 6,
                    wait: latency(times, stage: false),
                    work: latency(times, stage: false),
                    total: latency(times, stage: false),
                    nanosecondsByStage: Array(repeating: .max, count: 100)
                )
            },
            effects: names.map { name in
                EffectSnapshot(
                    name: name,
                    started: .max,
                    completed: 6,
                    cancelled: 1,
                    latency: latency(times, stage: false)
                )
            },
            series: LatencySeries(
                columnNanoseconds: .max / 2,
                columns: [.init(counts: Array(repeating: 1 << 40, count: LatencySeries.rows)), .init()]
            )
        )
    }()

    /// As a service would have it: a queue with one server, load that rises and falls, some kinds far heavier than
    /// others, and an incident in which one middleware is slow.
    static func service(actions: Int, seed: UInt64 = 7) -> InstrumentationSnapshot {
        var random = SplitMix64(seed: seed)
        func uniform() -> Double { (Double(random.next() >> 11) + 0.5) / 0x1p53 }
        func normal() -> Double { (-2 * log(uniform())).squareRoot() * cos(2 * .pi * uniform()) }
        func around(_ median: Double, _ spread: Double) -> UInt64 { UInt64(max(20, median * exp(spread * normal()))) }

        let kindNames = ["search", "download", "upload", "login", "tick", "metricsReported", "profileChanged", "evict"]
        let parts = [0.38, 0.24, 0.05, 0.08, 0.12, 0.06, 0.05, 0.02]
        let weights = [1.0, 0.8, 14, 2.2, 0.15, 0.5, 1.4, 3]
        let stageNames: [(String, StageSnapshot.Role, Double)] = [
            ("authentication", .middleware, 22_000), ("audit", .middleware, 30_000), ("rate limit", .middleware, 3_000),
            ("reducers", .reducers, 9_000), ("effects", .effects, 5_000), ("publication", .publication, 7_000),
        ]
        let span = 120e9
        var queue = LatencyDistribution(digits: .three), total = queue
        var stages = stageNames.map { _ in LatencyDistribution(digits: .three) }
        var waits = kindNames.map { _ in LatencyDistribution(digits: .two) }, works = waits, totals = waits
        var sums = kindNames.map { _ in Array(repeating: UInt64(0), count: stageNames.count + 2) }
        var columns = Array(repeating: Array(repeating: UInt64(0), count: LatencySeries.rows), count: 240)
        var (arrival, free) = (0.0, 0.0)
        while arrival < span {
            let day = 1 + 0.55 * sin(arrival / span * 9) + (arrival > 0.82 * span ? 0.5 : 0)
            arrival += -log(uniform()) * span / Double(actions) / day
            let pick = uniform()
            var kind = 0
            var bound = parts[0]
            while pick > bound, kind < parts.count - 1 {
                kind += 1
                bound += parts[kind]
            }
            let isIncident = arrival > 0.55 * span && arrival < 0.58 * span
            let wait = UInt64(max(0, free - arrival)) + around(900, 0.5)
            var work: UInt64 = 400
            for (index, stage) in stageNames.enumerated() {
                let weight = stage.0 == "audit" || stage.1 == .reducers ? weights[kind] : 1
                let slow = isIncident && stage.0 == "authentication" ? 9.0 : 1
                let took = around(stage.2 * weight * slow * span / Double(actions) / 250_000, 0.45)
                stages[index].record(took)
                sums[kind][index + 1] += took
                work += took
            }
            queue.record(wait)
            total.record(wait + work)
            waits[kind].record(wait)
            works[kind].record(work)
            totals[kind].record(wait + work)
            sums[kind][0] += wait
            sums[kind][stageNames.count + 1] += wait + work
            free = max(free, arrival) + Double(work)
            let column = min(columns.count - 1, Int(free / span * Double(columns.count)))
            columns[column][LatencySeries.row(of: wait + work)] += 1
        }
        let effects = [("uploads", 4e6, 0.8), ("mail", 60e6, 0.4)].map { name, median, spread in
            let count = actions / 20
            return EffectSnapshot(
                name: name,
                started: UInt64(count) + 3,
                completed: UInt64(count) - 2,
                cancelled: 5,
                latency: latency((0..<count).map { _ in around(median, spread) }, stage: false)
            )
        }
        return snapshot(
            actions: total.count,
            active: .seconds(120),
            stages: [StageSnapshot(name: "queue", role: .queue, latency: queue)]
                + zip(stageNames, stages).map { StageSnapshot(name: $0.0, role: $0.1, latency: $1) }
                + [StageSnapshot(name: "total", role: .total, latency: total)],
            kinds: kindNames.indices.map { kind in
                KindSnapshot(
                    name: kindNames[kind],
                    count: works[kind].count,
                    wait: waits[kind],
                    work: works[kind],
                    total: totals[kind],
                    nanosecondsByStage: sums[kind]
                )
            },
            effects: effects,
            series: LatencySeries(
                columnNanoseconds: UInt64(span) / UInt64(columns.count),
                columns: columns.map { LatencySeries.Column(counts: $0) }
            )
        )
    }
}
