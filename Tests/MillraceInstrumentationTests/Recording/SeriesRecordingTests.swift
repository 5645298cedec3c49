// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import MillraceInstrumentation

@Suite("Latencies over time")
struct SeriesRecordingTests {
    private let width = SeriesRecording.narrowest

    @Test("a column for each tenth of a second, also where nothing happened")
    func columns() {
        var series = SeriesRecording()
        defer { series.deallocate() }
        series.record(1000, at: 0)
        series.record(1000, at: width - 1)
        series.record(2000, at: 3 * width)
        let found = series.series(since: 0)
        #expect(found.columnNanoseconds == width)
        #expect(found.columns.map(\.total) == [2, 0, 0, 1])
        #expect(found.columns[0].counts[LatencySeries.row(of: 1000)] == 2)
        #expect(found.offsetNanoseconds == 0)
    }

    @Test("it halves its resolution when it is full, and counts on")
    func halving() {
        var series = SeriesRecording()
        defer { series.deallocate() }
        for number in 0..<5000 as Range<UInt64> { series.record(number, at: number * width) }
        let found = series.series(since: 0)
        #expect(found.columns.count <= LatencySeries.mostColumns)
        #expect(found.columns.count > LatencySeries.mostColumns / 2)
        #expect(found.columns.reduce(0) { $0 + $1.total } == 5000)
        #expect(found.columnNanoseconds == 16 * width)
        #expect(found.columns.dropLast().allSatisfy { $0.total == 16 })
        // A year later.
        series.record(1, at: 31_536_000_000_000_000)
        #expect(series.series(since: 0).columns.reduce(0) { $0 + $1.total } == 5001)
    }

    @Test("two add up to what one would have recorded, whatever their widths and beginnings")
    func adding() {
        let counterexample = firstCounterexample(cases: 60) { random in
            var (whole, parts, part) = (SeriesRecording(), SeriesRecording(), SeriesRecording())
            defer {
                for series in [whole, parts, part] { series.deallocate() }
            }
            var time: UInt64 = .random(in: 0..<100 * width, using: &random)
            for _ in 0..<200 {
                time += .random(in: 0...(Bool.random(using: &random) ? 2 : 40) * width, using: &random)
                let latency = UInt64.random(in: 0..<1_000_000, using: &random)
                whole.record(latency, at: time)
                part.record(latency, at: time)
                if Int.random(in: 0..<20, using: &random) == 0 {
                    parts.add(part)
                    part.deallocate()
                    part = SeriesRecording()
                }
            }
            parts.add(part)
            return parts.series(since: 0) == whole.series(since: 0) ? nil : "the sum differs"
        }
        #expect(counterexample == nil)
    }
}
