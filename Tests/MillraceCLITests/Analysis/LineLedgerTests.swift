// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MillraceCLI

/// A chunk of ten lines, two of them malformed.
private func malformed(_ chunk: UInt64) -> [MalformedLine] {
    [MalformedLine(chunk: chunk, line: 2, reason: .host), MalformedLine(chunk: chunk, line: 7, reason: .time)]
}

private func summary(_ chunk: UInt64, input: UInt32 = 0, pass: UInt32 = 0) -> ChunkSummary {
    ChunkSummary(chunk: chunk, lines: 10, input: input, pass: pass)
}

@Suite struct LineLedgerTests {
    @Test(arguments: [[0, 1, 2, 3], [3, 2, 1, 0], [1, 0, 3, 2], [2, 3, 0, 1]] as [[UInt64]])
    func givesTheFirstLinesInWhateverOrderChunksEnd(_ order: [UInt64]) {
        var ledger = LineLedger(limit: 5)
        for chunk in order {
            malformed(chunk).forEach { ledger.add($0) }
            ledger.close(summary(chunk))
        }
        #expect(ledger.samples.map(\.line) == [3, 8, 13, 18, 23])
        #expect(ledger.samples.map(\.reason) == [.host, .time, .host, .time, .host])
    }

    @Test func countsLinesPerInputAndOnlyInTheFirstPass() {
        var ledger = LineLedger(limit: 5)
        for (chunk, input, pass) in [(0, 0, 0), (1, 1, 0), (2, 0, 1), (3, 1, 1)] as [(UInt64, UInt32, UInt32)] {
            malformed(chunk).prefix(1).forEach { ledger.add($0) }
            ledger.close(summary(chunk, input: input, pass: pass))
        }
        #expect(ledger.samples.map(\.line) == [3, 3])
        #expect(ledger.samples.map(\.input) == [0, 1])
    }
}
