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
    /// What the pipeline writes to. Its pointers are good as long as this object lives.
    let pen: Pen

    /// The recording without the object, so that no reference is counted where it is written to.
    struct Pen {
        fileprivate let stageLimit: Int
        let stages: UnsafeMutablePointer<LatencyDistribution?>
        let kinds: UnsafeMutablePointer<Kind?>
        /// Nanoseconds of each stage, in a row for each kind; one row more for what belongs to none.
        let sums: UnsafeMutablePointer<UInt64>
        let series: UnsafeMutablePointer<SeriesRecording>
        let counts: UnsafeMutablePointer<Counts>
    }

    /// What is only counted.
    struct Counts {
        var actions: UInt64 = 0
        var measured: UInt64 = 0
        var missedStages: UInt64 = 0
        var activeTicks: UInt64 = 0
    }

    var counts: Counts { pen.counts.pointee }

    private static let rows = mostKinds + 2

    /// An empty one, with room where `other` has something.
    init(stageLimit: Int, like other: Recording? = nil) {
        self.stageLimit = stageLimit
        pen = Pen(
            stageLimit: stageLimit,
            stages: .allocate(capacity: stageLimit),
            kinds: .allocate(capacity: Self.mostKinds + 1),
            sums: .allocate(capacity: Self.rows * stageLimit),
            series: .allocate(capacity: 1),
            counts: .allocate(capacity: 1)
        )
        for index in 0..<stageLimit {
            let isThere = other?.pen.stages[index] != nil
            (pen.stages + index).initialize(to: isThere ? LatencyDistribution(digits: .three) : nil)
        }
        for index in 0...Self.mostKinds {
            (pen.kinds + index).initialize(to: other?.pen.kinds[index] != nil ? Kind() : nil)
        }
        pen.sums.initialize(repeating: 0, count: Self.rows * stageLimit)
        pen.series.initialize(to: SeriesRecording())
        pen.counts.initialize(to: Counts())
    }

    deinit {
        pen.stages.deinitialize(count: stageLimit)
        pen.stages.deallocate()
        pen.kinds.deinitialize(count: Self.mostKinds + 1)
        pen.kinds.deallocate()
        pen.sums.deallocate()
        pen.series.pointee.deallocate()
        pen.series.deallocate()
        pen.counts.deallocate()
    }

    func stage(_ index: Int) -> LatencyDistribution? { pen.stages[index] }

    func kind(_ index: Int) -> Kind? { pen.kinds[index] }

    func add(_ other: Recording) {
        for index in 0..<stageLimit {
            guard let stage = other.stage(index) else { continue }
            if pen.stages[index] == nil { pen.stages[index] = LatencyDistribution(digits: .three) }
            pen.stages[index]?.add(stage)
        }
        for index in 0...Self.mostKinds {
            guard let kind = other.kind(index) else { continue }
            if pen.kinds[index] == nil { pen.kinds[index] = Kind() }
            pen.kinds[index]?.wait.add(kind.wait)
            pen.kinds[index]?.work.add(kind.work)
            pen.kinds[index]?.count += kind.count
        }
        for index in 0..<Self.rows * stageLimit { pen.sums[index] &+= other.pen.sums[index] }
        pen.series.pointee.add(other.pen.series.pointee)
        pen.counts.pointee.actions += other.counts.actions
        pen.counts.pointee.measured += other.counts.measured
        pen.counts.pointee.missedStages += other.counts.missedStages
        pen.counts.pointee.activeTicks += other.counts.activeTicks
    }

    /// Bytes that it holds.
    var bytes: Int {
        var histograms = 0
        for index in 0..<stageLimit { histograms += stage(index)?.histogram.estimatedFootprintInBytes ?? 0 }
        for index in 0...Self.mostKinds where pen.kinds[index] != nil { histograms += 2 * Self.bytesOfKindHistogram }
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

extension Recording.Pen {
    /// The sums of a kind's stages; nil: of what belongs to no action.
    func row(_ kind: Int?) -> UnsafeMutablePointer<UInt64> {
        sums + (kind ?? Recording.mostKinds + 1) * stageLimit
    }

    @inline(__always)
    func record(stage index: Int, _ nanoseconds: UInt64) {
        if stages[index] == nil { makeStage(index) }
        stages[index]?.record(nanoseconds)
    }

    @inline(__always)
    func record(kind index: Int, wait: UInt64, work: UInt64) {
        if kinds[index] == nil { makeKind(index) }
        kinds[index]?.count &+= 1
        // 0: not known.
        if wait > 0 { kinds[index]?.wait.record(wait) }
        kinds[index]?.work.record(work)
    }

    @inline(never)
    private func makeStage(_ index: Int) { stages[index] = LatencyDistribution(digits: .three) }

    @inline(never)
    private func makeKind(_ index: Int) { kinds[index] = Recording.Kind() }
}
