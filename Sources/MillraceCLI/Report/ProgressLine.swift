// SPDX-License-Identifier: Apache-2.0

import Millrace

/// The line on a terminal that shows the progress of a run. The depth comes from the metrics of the stores, which are
/// kept anyway. The line does not read the state, because a read would make the store copy it.
struct ProgressLine: Sendable {
    private let shards: LogShards
    private let parsed: EventCounter
    private let start = ContinuousClock.now

    init(shards: LogShards, parsed: EventCounter) {
        self.shards = shards
        self.parsed = parsed
    }

    /// Shows the line five times per second until the task is cancelled, then removes it.
    func run() async {
        while (try? await Task.sleep(for: .milliseconds(200))) != nil {
            let seconds = (ContinuousClock.now - start).seconds
            let text = Self.text(events: parsed.events, seconds: seconds, depth: shards.metrics.pending)
            Console.show("\r\(text)\u{1B}[K")
        }
        Console.show("\r\u{1B}[K")
    }

    /// Returns a text such as `12,345,678 events   9,876,543 a second   depth 1,024`.
    static func text(events: UInt64, seconds: Double, depth: UInt64) -> String {
        let rate = seconds > 0 ? Figures.fixed(Double(events) / seconds, 0) : "-"
        return "\(Figures.grouped(events)) events   \(rate) a second   depth \(Figures.grouped(depth))"
    }
}
