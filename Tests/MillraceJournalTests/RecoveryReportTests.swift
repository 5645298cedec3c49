// SPDX-License-Identifier: Apache-2.0

import MillraceJournal
import MillraceRecords
import Testing

@Suite("The text of a recovery")
struct RecoveryReportTests {
    @Test("A journal without a snapshot: what was read, and how it ended")
    func short() {
        var report = RecoveryReport()
        report.lastSequence = 7
        report.actions = 7
        report.segments = 2
        report.bytes = 4096
        report.end = .open(offset: 900)
        #expect("\(report)" == "7 actions to 7, 4096 bytes in 2 segments; open at byte 900")
    }

    @Test("The line of a journal that has failed says what its store does now")
    func failure() {
        let error = JournalError.closed(path: "orders.journal")
        #expect(
            FailureReport.line(error, "orders.journal", .stop)
                == "millrace: the journal in orders.journal has failed, and its store is closed: \(error)"
        )
        #expect(FailureReport.line(error, "orders.journal", .detach).contains("its store goes on without it: "))
    }

    @Test("A snapshot, effects that began again, and files that were not used")
    func long() {
        var report = RecoveryReport()
        report.snapshot = 5
        report.lastSequence = 7
        report.actions = 2
        report.handledAgain = 1
        report.leftOut = 3
        report.segments = 1
        report.bytes = 512
        report.damagedSnapshots = ["a", "b"]
        report.ignored = ["c"]
        #expect(
            "\(report)"
                == "snapshot at 5; 2 actions to 7, 512 bytes in 1 segment; 1 handled again for their effects; 3 of unknown kinds left out; unreadable: a, b; ignored: c"
        )
    }
}
