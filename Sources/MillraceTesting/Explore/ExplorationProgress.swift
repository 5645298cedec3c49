// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Shows the progress of an exploration in a line of the terminal, from the third second on. Shows nothing if standard
/// error is not a terminal.
final class ExplorationProgress {
    private let count: Int
    private let start = ContinuousClock.now
    private var next: ContinuousClock.Instant
    private let isShown = isatty(2) == 1
    private var hasLine = false

    init(_ count: Int) {
        self.count = count
        next = start + .seconds(2)
    }

    deinit {
        if hasLine { write("\r\u{1B}[K") }
    }

    func show(_ report: ExplorationReport) {
        guard isShown, report.schedules % 64 == 0, ContinuousClock.now >= next else { return }
        next = .now + .milliseconds(200)
        hasLine = true
        let seconds = Double((ContinuousClock.now - start).components.seconds)
        let rate = Int(Double(report.schedules) / max(1, seconds))
        write("\r\u{1B}[K\(report.schedules) of \(count) schedules, \(rate) a second")
    }

    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
