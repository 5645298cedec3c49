// SPDX-License-Identifier: Apache-2.0

internal import Foundation
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
        FileHandle.standardError.write(Data((Self.line(error, path, policy) + "\n").utf8))
    }

    package static func line(_ error: JournalError, _ path: String, _ policy: JournalFailurePolicy) -> String {
        let what = policy == .stop ? "its store is closed" : "its store goes on without it"
        return "millrace: the journal in \(path) has failed, and \(what): \(error)"
    }
}
