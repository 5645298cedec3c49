// SPDX-License-Identifier: Apache-2.0

import MillraceInstrumentation
import Testing

@Suite("Prometheus")
struct PrometheusReportTests {
    @Test("a small snapshot")
    func golden() {
        let latency = SampleSnapshots.latency([1_000_000, 1_000_001, 400_000_000, LatencyDistribution.longest + 1])
        let snapshot = SampleSnapshots.snapshot(
            actions: 64,
            measured: 4,
            stages: [StageSnapshot(name: "say \"hi\"\\\n", role: .middleware, latency: latency)],
            effects: [EffectSnapshot(name: "mail", started: 3, completed: 1, cancelled: 1, latency: latency)]
        )
        let text = PrometheusReport(snapshot, limits: [500_000_000, 1_000_000, 100]).description
        let labels = #"store="orders",stage="say \"hi\"\\\n",role="middleware""#
        let expected = #"""
            # HELP millrace_actions_total Actions that were finished.
            # TYPE millrace_actions_total counter
            millrace_actions_total{store="orders"} 64
            # HELP millrace_measured_actions_total Actions measured.
            # TYPE millrace_measured_actions_total counter
            millrace_measured_actions_total{store="orders"} 4
            # HELP millrace_missed_stages_total Stages that were not measured: the action had 512 before.
            # TYPE millrace_missed_stages_total counter
            millrace_missed_stages_total{store="orders"} 0
            # HELP millrace_stage_duration_seconds Time in a stage of the pipeline.
            # TYPE millrace_stage_duration_seconds histogram
            millrace_stage_duration_seconds_bucket{\#(labels),le="0.0000001"} 0
            millrace_stage_duration_seconds_bucket{\#(labels),le="0.001"} 2
            millrace_stage_duration_seconds_bucket{\#(labels),le="0.5"} 3
            millrace_stage_duration_seconds_bucket{\#(labels),le="+Inf"} 4
            millrace_stage_duration_seconds_sum{\#(labels)} 3600.402000002
            millrace_stage_duration_seconds_count{\#(labels)} 4

            """#
        #expect(text.hasPrefix(expected))
        #expect(
            text.contains(
                """
                # TYPE millrace_effects_started_total counter
                millrace_effects_started_total{store="orders",effect="mail"} 3

                """
            )
        )
        #expect(text.hasSuffix("millrace_instrumentation_memory_bytes{store=\"orders\"} 3500000\n"))
    }

    /// Metric, labels, value: as a scraper splits them.
    private func parse(_ line: Substring) -> (name: String, labels: [String], value: Double?)? {
        guard let open = line.firstIndex(of: "{") else { return nil }
        var labels: [String] = []
        var (label, isQuoted, isEscaped) = ("", false, false)
        var index = line.index(after: open)
        while index < line.endIndex {
            let scalar = line[index]
            index = line.index(after: index)
            if isEscaped {
                label.append(scalar)
                isEscaped = false
            } else if isQuoted, scalar == "\\" {
                isEscaped = true
            } else if scalar == "\"" {
                isQuoted.toggle()
            } else if !isQuoted, scalar == "," || scalar == "}" {
                labels.append(label)
                label = ""
                if scalar == "}" { break }
            } else {
                label.append(scalar)
            }
        }
        return isQuoted ? nil : (String(line[..<open]), labels, Double(line[index...].dropFirst()))
    }

    @Test("hostile names: each line can be read, no series comes twice, buckets never fall")
    func hostile() throws {
        let text = PrometheusReport(SampleSnapshots.hostile).description
        var seen: Set<String> = []
        var (series, before) = ("", -1.0)
        var helped: Set<Substring> = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("#") {
                let words = line.split(separator: " ")
                #expect(helped.insert(words[1] + words[2]).inserted, "\(line)")
                continue
            }
            let sample = try #require(parse(line), "\(line)")
            let value = try #require(sample.value, "\(line)")
            #expect(seen.insert("\(sample.name) \(sample.labels)").inserted, "\(line)")
            guard sample.name.hasSuffix("_bucket") else { continue }
            let now = "\(sample.name) \(sample.labels.dropLast())"
            #expect(now != series || value >= before)
            (series, before) = (now, value)
        }
        #expect(seen.count > SampleSnapshots.hostileNames.count * 4 * 27)
        // Two stages of one name and role are one series, with the times of both.
        #expect(text.contains("millrace_kind_wait_seconds_count{") && text.contains("kind=\"other\"} 12\n"))
    }

    @Test("a time is in the bucket of its limit, for each of the limits")
    func limits() {
        let limits = PrometheusReport.defaultLimits
        #expect(limits.first == 100 && limits.last == 10_000_000_000 && limits == limits.sorted())
        for (index, limit) in limits.enumerated() {
            let latency = SampleSnapshots.latency([limit])
            let text = PrometheusReport(
                SampleSnapshots.snapshot(stages: [StageSnapshot(name: "q", role: .queue, latency: latency)])
            ).description
            let buckets = text.split(separator: "\n").filter { $0.contains("_bucket{") }
            #expect(buckets.count == limits.count + 1)
            #expect(buckets[index].hasSuffix(" 1"), "\(buckets[index])")
            if index > 0 { #expect(buckets[index - 1].hasSuffix(" 0"), "\(buckets[index - 1])") }
        }
    }

    @Test("nothing measured has no families without samples")
    func empty() {
        let text = PrometheusReport(SampleSnapshots.empty).description
        #expect(!text.contains("histogram") && text.contains("millrace_actions_total{store=\"orders\"} 0\n"))
    }
}
