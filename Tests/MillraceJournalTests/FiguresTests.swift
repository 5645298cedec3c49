// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MillraceJournal

/// What a program shows of its journal: figures, receipts and failures.
@Suite("Figures and texts of a journal")
struct FiguresTests {
    @Test("a histogram gives its average and its quantiles")
    func histogram() {
        var histogram = JournalHistogram(limits: [10, 100, 1_000])
        #expect(histogram.average == 0 && histogram.limit(of: 0.5) == nil)
        for figure in [1, 10, 11, 500] as [UInt64] { histogram.add(figure) }
        #expect(histogram.count == 4 && histogram.average == 130.5)
        #expect([0, 0.25, 0.5, 0.51, 0.75, 0.76, 1].map(histogram.limit) == [10, 10, 10, 100, 100, 1_000, 1_000])
        histogram.add(1_001)
        #expect(histogram.limit(of: 0.8) == 1_000)
        #expect(histogram.limit(of: 0.81) == nil, "above the last limit")
    }

    @Test("a receipt says what became of the action, and how durable it is")
    func receipts() {
        let committed = CommitReceipt.committed(sequence: 7, durability: .grouped)
        #expect("\(committed)" == "committed as 7, \(Durability.grouped)")
        let duplicate = CommitReceipt.duplicate(mark: 9, durability: .process)
        #expect("\(duplicate)" == "a duplicate: 9 was reached before, \(Durability.process)")
    }

    @Test("a failure is printed in one line, unless the program is told, or the journal is on no disk")
    func failures() async throws {
        let error = JournalError.closed(path: "orders")
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let error = JournalError.closed(path: "orders")
            let report = FailureReport()
            report.tell(error, "orders", .stop, isOnDisk: true)
            report.tell(error, "memory", .stop, isOnDisk: false)
            report.set { _ in }
            report.tell(error, "told", .stop, isOnDisk: true)
        }
        let lines = String(decoding: result.standardErrorContent, as: UTF8.self).split(separator: "\n")
        let found = lines.filter { $0.hasPrefix("millrace: ") }.map(String.init)
        #expect(found == [FailureReport.line(error, "orders", .stop)])
    }
}
