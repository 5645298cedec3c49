// SPDX-License-Identifier: Apache-2.0

/// The times in which one thread had work and did not go on.
struct ThreadStalls {
    /// Shorter times are not recorded: a wake-up takes part of 100 µs.
    static let least: UInt64 = 100_000

    private(set) var stalls: [Range<UInt64>] = []
    /// The nanoseconds in which the thread was ready to run, and the kernel ran another thread.
    private(set) var waited: UInt64 = 0
    private var waitedBefore: UInt64?

    init() { stalls.reserveCapacity(4_096) }

    /// To be called on the thread, at its beginning.
    mutating func begin() { waitedBefore = RunDelay.ofThisThread }

    /// To be called on the thread, after its last action.
    mutating func end() {
        guard let before = waitedBefore, let now = RunDelay.ofThisThread, now > before else { return }
        waited = now - before
    }

    mutating func add(from start: UInt64, to end: UInt64) {
        guard end > start, end - start >= Self.least, stalls.count < stalls.capacity else { return }
        stalls.append(start..<end)
    }
}

/// What stopped the producer and the consumer of one run, in nanoseconds.
struct Stalls: Encodable {
    /// The longest stall.
    let longest: Double
    /// All of them together. A time in which both threads do not go on counts once.
    let sum: Double
    /// The percentile 99.9 that the run would have if nothing but stalls delayed an action.
    let p999: Double
    /// The time in which one of the two threads was ready to run, and the kernel ran another one.
    let waited: Double

    /// A stall of some length delays the first action that is due in it by this length, and the last one by 0.
    init(of threads: [ThreadStalls], _ timetable: Timetable) {
        let stalls = Self.united(threads.flatMap(\.stalls)).map { Double($0.upperBound - $0.lowerBound) }
        let interval = 1e9 / Double(timetable.rate)
        let longest = stalls.max() ?? 0
        var (low, high) = (0.0, longest)
        for _ in 0..<40 {
            let level = (low + high) / 2
            let later = stalls.reduce(0) { $0 + max(0, $1 - level) / interval }
            if later > Double(timetable.count) / 1_000 { low = level } else { high = level }
        }
        self.longest = longest
        sum = stalls.reduce(0, +)
        p999 = high
        waited = threads.reduce(0) { $0 + Double($1.waited) }
    }

    /// Creates the median of several runs, figure by figure; nil if there are no runs.
    init?(mediansOf runs: [Stalls]) {
        guard let longest = Sample(runs.map(\.longest)), let sum = Sample(runs.map(\.sum)),
            let p999 = Sample(runs.map(\.p999)), let waited = Sample(runs.map(\.waited))
        else { return nil }
        (self.longest, self.sum, self.p999, self.waited) = (longest.median, sum.median, p999.median, waited.median)
    }

    /// The times that lie in at least one of the ranges.
    private static func united(_ ranges: [Range<UInt64>]) -> [Range<UInt64>] {
        var all: [Range<UInt64>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = all.last, range.lowerBound <= last.upperBound {
                all[all.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                all.append(range)
            }
        }
        return all
    }
}
