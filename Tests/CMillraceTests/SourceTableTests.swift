// SPDX-License-Identifier: Apache-2.0

import CMillrace
import TestSupport
import Testing

@Suite("Source table", .timeLimit(.minutes(5)))
struct SourceTableTests {
    /// An address that no other test uses.
    private static let file: UInt64 = 0x7A_B1E0_0000

    private static func isEntry(_ number: UInt32, _ file: UInt64, _ function: UInt64, _ packed: UInt64) -> Bool {
        guard number != MILLRACE_NO_SOURCE else { return false }
        let words = millrace_source_at(number).assumingMemoryBound(to: UInt64.self)
        return words[0] == file && words[1] == function && words[2] == packed && words[3] == 0
    }

    @Test("a place keeps its number, and another place gets another one")
    func numbers() throws {
        // Other tests may have taken the entries of some files.
        let file = try #require(
            (0..<64 as Range<UInt64>).lazy.map { Self.file + 0x100_0000 + $0 * 64 }.first {
                millrace_source_number($0, 2, 3) != MILLRACE_NO_SOURCE
                    && millrace_source_number($0, 4, 3) != MILLRACE_NO_SOURCE
            }
        )
        let first = millrace_source_number(file, 2, 3)
        #expect(first != MILLRACE_NO_SOURCE)
        #expect(Self.isEntry(first, file, 2, 3))
        #expect(millrace_source_number(file, 2, 3) == first)
        // The same hash, as only the function differs.
        let second = millrace_source_number(file, 4, 3)
        #expect(second != MILLRACE_NO_SOURCE && second != first)
        #expect(Self.isEntry(second, file, 4, 3))
        #expect(millrace_source_number(file, 2, 3) == first)
    }

    @Test("a place that finds all its entries taken has no number; those before keep theirs")
    func full() {
        let file = Self.file + 0x1000
        let numbers = (1...UInt64(MILLRACE_SOURCE_PROBES) + 8).map { millrace_source_number(file, $0, 3) }
        #expect(numbers.last == MILLRACE_NO_SOURCE)
        for (index, number) in numbers.enumerated() where number != MILLRACE_NO_SOURCE {
            #expect(Self.isEntry(number, file, UInt64(index + 1), 3))
        }
    }

    @Test("a number that any thread gets stands for the whole place")
    func threads() {
        let bad = Shared(0)
        for round in 0..<(isSanitized ? 20 : 100) {
            let file = Self.file + 0x10_0000 + UInt64(round) * 64
            onThreads(4) { _ in
                for function in UInt64(1)...4 {
                    let number = millrace_source_number(file, function, 9)
                    if number != MILLRACE_NO_SOURCE, !Self.isEntry(number, file, function, 9) {
                        bad.update { $0 += 1 }
                    }
                }
            }
        }
        #expect(bad.value == 0)
    }
}
