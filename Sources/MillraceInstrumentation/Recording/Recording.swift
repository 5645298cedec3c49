// SPDX-License-Identifier: Apache-2.0

/// The measurements of a period. The pipeline writes into one recording, until a reader exchanges it for an empty one.
///
/// A recording has one owner at a time: the pipeline or the reader. A message in the queue transfers it.
final class Recording: @unchecked Sendable {
    // Unchecked because it has one owner at a time.

    /// The measurements of one kind of action.
    struct Kind {
        var wait = HistogramWriter()
        var work = HistogramWriter()
        var total = HistogramWriter()
        var count: UInt64 = 0
        /// The nanoseconds in middlewares without a name, and in stages nested in other stages.
        var unnamed: UInt64 = 0
        var nested: UInt64 = 0
    }

    /// The number of kinds that have histograms, without `other`.
    static let mostKinds = 64

    let stageLimit: Int
    /// The pointers that the pipeline writes through. They are valid as long as this object lives.
    let pen: Pen

    /// The contents of the recording without the object, so that writing counts no references.
    struct Pen {
        fileprivate let stageLimit: Int
        let stages: UnsafeMutablePointer<HistogramWriter>
        let kinds: UnsafeMutablePointer<Kind>
        /// The nanoseconds of each stage: one row for each kind, and one more row for stages that belong to no action.
        let sums: UnsafeMutablePointer<UInt64>
        let series: UnsafeMutablePointer<SeriesRecording>
        /// The copies of its state that each middleware got, by stage.
        fileprivate let copies: UnsafeMutablePointer<Copies>
        let counts: UnsafeMutablePointer<Counts>
    }

    /// The number of checked actions in which a middleware got a copy of its state.
    struct Copies {
        var beforeReducers: UInt64 = 0
        var afterReducers: UInt64 = 0
        /// The last action that each of them counts, as a number of checked actions.
        fileprivate var last: (before: UInt64, after: UInt64) = (0, 0)
    }

    /// The measurements that are only counted.
    struct Counts {
        var actions: UInt64 = 0
        var measured: UInt64 = 0
        var missedStages: UInt64 = 0
        var activeTicks: UInt64 = 0
        /// The actions that were checked for copies.
        var checked: UInt64 = 0
        /// The sampling intervals at which actions ran. Each interval is a power of two, so each is one bit.
        var rates: Int = 0
    }

    var counts: Counts { pen.counts.pointee }

    private static let rows = mostKinds + 2

    /// Creates an empty recording, and allocates memory for the histograms that `other` has memory for.
    init(stageLimit: Int, like other: Recording? = nil) {
        self.stageLimit = stageLimit
        pen = Pen(
            stageLimit: stageLimit,
            stages: .allocate(capacity: stageLimit),
            kinds: .allocate(capacity: Self.mostKinds + 1),
            sums: .allocate(capacity: Self.rows * stageLimit),
            series: .allocate(capacity: 1),
            copies: .allocate(capacity: stageLimit),
            counts: .allocate(capacity: 1)
        )
        pen.stages.initialize(repeating: HistogramWriter(), count: stageLimit)
        pen.kinds.initialize(repeating: Kind(), count: Self.mostKinds + 1)
        pen.sums.initialize(repeating: 0, count: Self.rows * stageLimit)
        pen.series.initialize(to: SeriesRecording())
        pen.copies.initialize(repeating: Copies(), count: stageLimit)
        pen.counts.initialize(to: Counts())
        guard let other = other?.pen else { return }
        for index in 0..<stageLimit where other.stages[index].isThere { pen.stages[index].prepare(.three) }
        for index in 0...Self.mostKinds where other.kinds[index].work.isThere {
            pen.kinds[index].wait.prepare(.two)
            pen.kinds[index].work.prepare(.two)
            pen.kinds[index].total.prepare(.two)
        }
    }

    deinit {
        for index in 0..<stageLimit { pen.stages[index].deallocate() }
        for index in 0...Self.mostKinds {
            pen.kinds[index].wait.deallocate()
            pen.kinds[index].work.deallocate()
            pen.kinds[index].total.deallocate()
        }
        pen.stages.deallocate()
        pen.kinds.deallocate()
        pen.sums.deallocate()
        pen.series.pointee.deallocate()
        pen.series.deallocate()
        pen.copies.deallocate()
        pen.counts.deallocate()
    }

    func stage(_ index: Int) -> LatencyDistribution { pen.stages[index].distribution(.three) }

    func kind(_ index: Int) -> Kind { pen.kinds[index] }

    func copies(_ index: Int) -> StateCopies {
        let copies = pen.copies[index]
        return StateCopies(
            actions: counts.checked,
            beforeReducers: copies.beforeReducers,
            afterReducers: copies.afterReducers
        )
    }

    func add(_ other: Recording) {
        for index in 0..<stageLimit {
            pen.stages[index].add(other.pen.stages[index], .three)
            pen.copies[index].beforeReducers += other.pen.copies[index].beforeReducers
            pen.copies[index].afterReducers += other.pen.copies[index].afterReducers
        }
        for index in 0...Self.mostKinds {
            pen.kinds[index].wait.add(other.pen.kinds[index].wait, .two)
            pen.kinds[index].work.add(other.pen.kinds[index].work, .two)
            pen.kinds[index].total.add(other.pen.kinds[index].total, .two)
            pen.kinds[index].count += other.pen.kinds[index].count
            pen.kinds[index].unnamed &+= other.pen.kinds[index].unnamed
            pen.kinds[index].nested &+= other.pen.kinds[index].nested
        }
        for index in 0..<Self.rows * stageLimit { pen.sums[index] &+= other.pen.sums[index] }
        pen.series.pointee.add(other.pen.series.pointee)
        pen.counts.pointee.actions += other.counts.actions
        pen.counts.pointee.measured += other.counts.measured
        pen.counts.pointee.missedStages += other.counts.missedStages
        pen.counts.pointee.activeTicks += other.counts.activeTicks
        pen.counts.pointee.checked += other.counts.checked
        pen.counts.pointee.rates |= other.counts.rates
    }

    /// The memory that the recording holds, in bytes.
    var bytes: Int {
        var histograms = 0
        for index in 0..<stageLimit where pen.stages[index].isThere { histograms += HistogramWriter.Digits.three.bytes }
        for index in 0...Self.mostKinds {
            if pen.kinds[index].wait.isThere { histograms += HistogramWriter.Digits.two.bytes }
            if pen.kinds[index].work.isThere { histograms += HistogramWriter.Digits.two.bytes }
            if pen.kinds[index].total.isThere { histograms += HistogramWriter.Digits.two.bytes }
        }
        return histograms + Self.fixedBytes(stageLimit)
    }

    /// Returns the most memory that a recording can hold, in bytes.
    static func mostBytes(stageLimit: Int) -> Int {
        fixedBytes(stageLimit) + stageLimit * HistogramWriter.Digits.three.bytes + 3 * (mostKinds + 1)
            * HistogramWriter.Digits.two.bytes
    }

    private static func fixedBytes(_ stageLimit: Int) -> Int {
        stageLimit * MemoryLayout<HistogramWriter>.stride + (mostKinds + 1) * MemoryLayout<Kind>.stride
            + rows * stageLimit * 8 + SeriesRecording.bytes + stageLimit * MemoryLayout<Copies>.stride
    }
}

extension Recording.Pen {
    /// Returns the sums of a kind's stages; nil: the row for stages that belong to no action.
    func row(_ kind: Int?) -> UnsafeMutablePointer<UInt64> {
        sums + (kind ?? Recording.mostKinds + 1) * stageLimit
    }

    @inline(__always)
    func record(stage index: Int, _ nanoseconds: UInt64) {
        stages[index].record(nanoseconds, .three)
    }

    /// Notes that a middleware gets a copy of its state. Counts each action once.
    func noteCopy(stage index: Int, afterReducers: Bool) {
        let action = counts.pointee.checked
        if afterReducers {
            guard copies[index].last.after != action else { return }
            copies[index].last.after = action
            copies[index].afterReducers &+= 1
        } else {
            guard copies[index].last.before != action else { return }
            copies[index].last.before = action
            copies[index].beforeReducers &+= 1
        }
    }

    @inline(__always)
    func record(kind index: Int, wait: UInt64, work: UInt64) {
        kinds[index].count &+= 1
        // 0: the waiting time is not known.
        if wait > 0 {
            kinds[index].wait.record(wait, .two)
            kinds[index].total.record(wait &+ work, .two)
        }
        kinds[index].work.record(work, .two)
    }
}
