// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The times in which one thread had work and did not go on.
struct ThreadStalls {
    /// Shorter times are not recorded: a thread that wakes up takes some of it.
    static let least: UInt64 = 100_000

    private(set) var stalls: [UInt64] = []
    /// The nanoseconds in which the thread was ready to run, and the kernel ran another thread.
    private(set) var waited: UInt64 = 0
    private var waitedBefore: UInt64 = 0

    init() { stalls.reserveCapacity(4_096) }

    /// To be called on the thread, before its first action.
    mutating func begin() { waitedBefore = Self.waitOfThisThread() }

    /// To be called on the thread, after its last action.
    mutating func end() { waited = Self.waitOfThisThread() - waitedBefore }

    mutating func add(from start: UInt64, to end: UInt64) {
        guard end > start, end - start >= Self.least, stalls.count < stalls.capacity else { return }
        stalls.append(end - start)
    }

    private static func waitOfThisThread() -> UInt64 {
        var text = [CChar](repeating: 0, count: 128)
        let file = open("/proc/thread-self/schedstat", O_RDONLY)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        guard read(file, &text, text.count - 1) > 0 else { return 0 }
        // "<time on a processor> <time ready to run> <turns>"
        let fields = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(
            separator: " "
        )
        return fields.count > 1 ? UInt64(fields[1]) ?? 0 : 0
    }
}

/// What stopped the producer and the consumer of one run.
struct Stalls: Encodable {
    /// The longest stall, in nanoseconds.
    let longest: Double
    /// The percentile 99.9 that the run would have if nothing but stalls delayed an action, in nanoseconds.
    let p999: Double
    /// The nanoseconds in which one of the two threads was ready to run, and the kernel ran another one.
    let waited: Double

    /// A stall of some length delays the first action that is due in it by this length, and the last one by 0.
    init(of threads: [ThreadStalls], _ timetable: Timetable) {
        let stalls = threads.flatMap(\.stalls).map { Double($0) }
        let interval = 1e9 / Double(timetable.rate)
        let longest = stalls.max() ?? 0
        var (low, high) = (0.0, longest)
        for _ in 0..<40 {
            let level = (low + high) / 2
            let later = stalls.reduce(0) { $0 + max(0, $1 - level) / interval }
            if later > Double(timetable.count) / 1_000 { low = level } else { high = level }
        }
        self.longest = longest
        p999 = high
        waited = threads.reduce(0) { $0 + Double($1.waited) }
    }

    /// Creates the median of several runs, figure by figure; nil if there are no runs.
    init?(mediansOf runs: [Stalls]) {
        guard let longest = Sample(runs.map(\.longest)), let p999 = Sample(runs.map(\.p999)),
            let waited = Sample(runs.map(\.waited))
        else { return nil }
        (self.longest, self.p999, self.waited) = (longest.median, p999.median, waited.median)
    }
}
