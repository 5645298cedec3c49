// SPDX-License-Identifier: Apache-2.0

import Millrace

/// The line on a terminal that tells how far the run is. The depth comes from the store's metrics, which are kept
/// anyway; the state is not looked at, because a look would make the store copy it.
struct ProgressLine: Sendable {
    private let shards: LogShards
    private let parsed: EventCounter
    private let start = ContinuousClock.now

    init(shards: LogShards, parsed: EventCounter) {
        self.shards = shards
        self.parsed = parsed
    }

    /// Shows the line five times a second until the task is cancelled, and takes it away.
    func run() async {
        while (try? await Task.sleep(for: .milliseconds(200))) != nil {
            let seconds = (ContinuousClock.now - start).seconds
            let text = Self.text(events: parsed.events, seconds: seconds, depth: shards.metrics.pending)
            Console.show("\r\(text)\u{1B}[K")
        }
        Console.show("\r\u{1B}[K")
    }

    /// `12,345,678 events   9,876,543 a second   depth 1,024`
    static func text(events: UInt64, seconds: Double, depth: UInt64) -> String {
        let rate = seconds > 0 ? Figures.fixed(Double(events) / seconds, 0) : "-"
        return "\(Figures.grouped(events)) events   \(rate) a second   depth \(Figures.grouped(depth))"
    }
}
