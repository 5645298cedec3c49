// SPDX-License-Identifier: Apache-2.0

import Glibc
import MillraceCore

/// Tells the program that its journal has failed.
package final class FailureReport: Sendable {
    private let report = Locked<(@Sendable (JournalError) -> Void)?>(nil)

    func set(_ report: @escaping @Sendable (JournalError) -> Void) {
        self.report.withLock { $0 = report }
    }

    /// Calls the closure of the program; without one it prints a line if the journal is on a disk of the system.
    func tell(_ error: JournalError, _ path: String, _ policy: JournalFailurePolicy, isOnDisk: Bool) {
        if let report = report.withLock({ $0 }) { return report(error) }
        guard isOnDisk else { return }
        // Written in one call, so that lines of several threads do not mix. If that fails, there is nobody to tell.
        var line = Self.line(error, path, policy) + "\n"
        _ = line.withUTF8 { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    package static func line(_ error: JournalError, _ path: String, _ policy: JournalFailurePolicy) -> String {
        let what = policy == .stop ? "its store is closed" : "its store goes on without it"
        return "millrace: the journal in \(path) has failed, and \(what): \(error)"
    }
}
