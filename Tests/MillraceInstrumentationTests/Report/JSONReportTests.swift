// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceInstrumentation
import Testing

@Suite("Reports for programs")
struct JSONReportTests {
    private func parse(_ snapshot: InstrumentationSnapshot) throws -> [String: Any] {
        let data = Data(JSONReport(snapshot).description.utf8)
        return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test("stages, kinds and effects have their figures, in nanoseconds")
    func figures() throws {
        let object = try parse(SampleSnapshots.small)
        #expect(object["label"] as? String == "orders")
        #expect(object["active"] as? Int == 100_000)
        let stages = try #require(object["stages"] as? [[String: Any]])
        #expect(stages.map { $0["name"] as? String } == ["queue", "audit", "reducers", "total"])
        #expect(stages[1]["role"] as? String == "middleware")
        let names = ["count", "p50", "p90", "p99", "p999", "p9999", "max", "sum", "outliers"]
        #expect(names.map { stages[1][$0] as? Int } == [2, 3_001, 5_000, 5_000, 5_000, 5_000, 5_000, 8_000, 0])
        let kinds = try #require(object["kinds"] as? [[String: Any]])
        #expect(kinds[0]["sumByStage"] as? [Int] == [20_000, 8_000, 2_000, 30_000])
        #expect((kinds[0]["wait"] as? [String: Any])?["max"] as? Int == 11_000)
        #expect((kinds[0]["total"] as? [String: Any])?["max"] as? Int == 17_000)
        #expect((object["slowness"] as? [String: Any])?["waitingShare"] as? Double == 0.658227848)
    }

    @Test("the names of the members stay")
    func members() throws {
        let object = try parse(SampleSnapshots.hostile)
        #expect(
            object.keys.sorted() == [
                "actions", "active", "effects", "kinds", "label", "measured", "memory", "missedStages", "mostMemory",
                "outliers", "sampling", "series", "since", "slowness", "stages", "until",
            ]
        )
        let effect = try #require((object["effects"] as? [[String: Any]])?.first)
        #expect(Set(["name", "started", "completed", "cancelled", "count"]).isSubset(of: effect.keys))
    }

    @Test("hostile names come back as they were, huge numbers are whole")
    func hostile() throws {
        let object = try parse(SampleSnapshots.hostile)
        let stages = try #require(object["stages"] as? [[String: Any]])
        #expect(stages.map { $0["name"] as? String } == SampleSnapshots.hostileNames + SampleSnapshots.hostileNames)
        #expect(object["actions"] as? UInt64 == .max)
        #expect(stages[0]["max"] as? UInt64 == UInt64.max / 2)
        #expect(!JSONReport(SampleSnapshots.hostile).description.contains("<"))
    }

    @Test("nothing measured is empty arrays")
    func empty() throws {
        let object = try parse(SampleSnapshots.empty)
        for name in ["stages", "kinds", "effects"] { #expect((object[name] as? [Any])?.isEmpty == true) }
    }

    @Test("the series has its cells, without the empty ones")
    func series() throws {
        var counts = Array(repeating: UInt64(0), count: LatencySeries.rows)
        (counts[3], counts[40]) = (5, 6)
        let series = LatencySeries(
            columnNanoseconds: 9,
            offsetNanoseconds: 4,
            columns: [.init(), .init(counts: counts)]
        )
        let object = try #require(try parse(SampleSnapshots.snapshot(series: series))["series"] as? [String: Any])
        #expect(object["columns"] as? [[Int]] == [[], [3, 5, 40, 6]])
        #expect(object["columnNanoseconds"] as? Int == 9 && object["offsetNanoseconds"] as? Int == 4)
        #expect((object["rows"] as? [UInt64]) == (0..<LatencySeries.rows).map(LatencySeries.lowest(ofRow:)))
    }
}
