// SPDX-License-Identifier: Apache-2.0

import MillraceJournal
import Synchronization

/// Counts the reads of the files of a ``SharedFolder``; one of them fails.
final class FailingReads: Sendable {
    private let number: Int
    private let count = Atomic<Int>(0)

    /// - Parameter number: The read that fails, from 1.
    init(at number: Int) {
        self.number = number
    }

    /// The reads so far.
    var passed: Int { count.load(ordering: .acquiring) }

    /// Whether it has failed. Acquiring: the count of the thread that has read last.
    var hasFailed: Bool { count.load(ordering: .acquiring) >= number }

    func pass() throws(FileError) {
        guard count.add(1, ordering: .acquiringAndReleasing).newValue == number else { return }
        throw FileError(call: "pread", path: "disk", reason: "Input/output error", meaning: .other)
    }
}
