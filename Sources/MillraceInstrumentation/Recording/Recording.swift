// SPDX-License-Identifier: Apache-2.0

import Histogram

/// What was measured in some time. The pipeline writes into one, until a reader gives it an empty one in exchange.
///
/// It has one owner at a time: the pipeline, or the reader; it is handed over by a message in the queue.
final class Recording: @unchecked Sendable {
    // Unchecked for that reason.

    /// What was measured of a kind.
    struct Kind {
        var wait = LatencyDistribution(digits: .two)
        var work = LatencyDistribution(digits: .two)
        var count: UInt64 = 0
    }

    /// Kinds that have histograms, beside `other`.
    static let mostKinds = 64

    let stageLimit: Int
    let stages: UnsafeMutablePointer<LatencyDistribution?>
    let kinds: UnsafeMutablePointer<Kind?>
    /// Nanoseconds of each stage, in a row for each kind; one row more for what belongs to none.
    let sums: UnsafeMutablePointer<UInt64>
    var series: SeriesRecording
    var actions: UInt64 = 0
    var measured: UInt64 = 0
    var missedStages: UInt64 = 0
    var activeTicks: UInt64 = 0

    private static let rows = mostKinds + 2

    /// An empty one, with room where `other` has something.
    init(stageLimit: Int, like other: Recording? = nil) {
        self.stageLimit = stageLimit
        stages = .allocate(capacity: stageLimit)
        kinds = .allocate(capacity: Self.mostKinds + 1)
        sums = .allocate(capacity: Self.rows * stageLimit)
        for index in 0..<stageLimit {
            let isThere = other?.stages[index] != nil
            (stages + index).initialize(to: isThere ? LatencyDistribution(digits: .three) : nil)
        }
        for index in 0...Self.mostKinds {
            (kinds + index).initialize(to: other?.kinds[index] != nil ? Kind() : nil)
        }
        sums.initialize(repeating: 0, count: Self.rows * stageLimit)
        series = SeriesRecording()
    }

    deinit {
        stages.deinitialize(count: stageLimit)
        stages.deallocate()
        kinds.deinitialize(count: Self.mostKinds + 1)
        kinds.deallocate()
        sums.deallocate()
    }

    /// The sums of a kind's stages; nil: of what belongs to no action.
    func row(_ kind: Int?) -> UnsafeMutablePointer<UInt64> {
        sums + (kind ?? Self.mostKinds + 1) * stageLimit
    }

    func record(stage index: Int, _ nanoseconds: UInt64) {
        if stages[index] == nil { stages[index] = LatencyDistribution(digits: .three) }
        stages[index]?.record(nanoseconds)
    }

    func record(kind index: Int, wait: UInt64?, work: UInt64) {
        if kinds[index] == nil { kinds[index] = Kind() }
        kinds[index]?.count &+= 1
        if let wait { kinds[index]?.wait.record(wait) }
        kinds[index]?.work.record(work)
    }

    func add(_ other: Recording) {
        for index in 0..<stageLimit {
            guard let stage = other.stages[index] else { continue }
            if stages[index] == nil { stages[index] = LatencyDistribution(digits: .three) }
            stages[index]?.add(stage)
        }
        for index in 0...Self.mostKinds {
            guard let kind = other.kinds[index] else { continue }
            if kinds[index] == nil { kinds[index] = Kind() }
            kinds[index]?.wait.add(kind.wait)
            kinds[index]?.work.add(kind.work)
            kinds[index]?.count += kind.count
        }
        for index in 0..<Self.rows * stageLimit { sums[index] &+= other.sums[index] }
        series.add(other.series)
        actions += other.actions
        measured += other.measured
        missedStages += other.missedStages
        activeTicks += other.activeTicks
    }

    /// Bytes that it holds.
    var bytes: Int {
        var histograms = 0
        for index in 0..<stageLimit { histograms += stages[index]?.histogram.estimatedFootprintInBytes ?? 0 }
        for index in 0...Self.mostKinds where kinds[index] != nil { histograms += 2 * Self.bytesOfKindHistogram }
        return histograms + Self.fixedBytes(stageLimit)
    }

    /// The most that it can hold.
    static func mostBytes(stageLimit: Int) -> Int {
        let stage = LatencyDistribution(digits: .three).histogram.estimatedFootprintInBytes
        return fixedBytes(stageLimit) + stageLimit * stage + 2 * (mostKinds + 1) * bytesOfKindHistogram
    }

    private static let bytesOfKindHistogram = LatencyDistribution(digits: .two).histogram.estimatedFootprintInBytes

    private static func fixedBytes(_ stageLimit: Int) -> Int {
        stageLimit * MemoryLayout<LatencyDistribution?>.stride + (mostKinds + 1) * MemoryLayout<Kind?>.stride
            + rows * stageLimit * 8 + SeriesRecording.bytes
    }
}
