// SPDX-License-Identifier: Apache-2.0

import MillraceJournal

/// Tells the user when a run waits because the disk of its journal is full: otherwise it would seem to hang.
final class DiskWatch: Sendable {
    private let task: Task<Void, Never>

    /// Looks each second, until the watch is released.
    init(_ journals: [Journal<LogAction>], at path: String, report: @escaping @Sendable (String) -> Void) {
        task = Task {
            var waits: UInt64 = 0
            var wasFull = false
            while (try? await Task.sleep(for: .seconds(1))) != nil {
                let now = journals.reduce(0) { $0 + $1.metrics.waitsForDisk }
                let isFull = now != waits
                if isFull, !wasFull { report(Self.words(path)) }
                (waits, wasFull) = (now, isFull)
            }
        }
    }

    deinit { task.cancel() }

    static func words(_ path: String) -> String {
        """
        the disk of the journal '\(path)' is full: the run waits, and goes on when there is room. To end it now, press \
        Ctrl-C twice; the same command goes on later
        """
    }
}
