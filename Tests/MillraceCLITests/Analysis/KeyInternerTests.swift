// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MillraceCLI

/// Asks for texts in turn, each time followed by other bytes.
private func numbers(of texts: [[UInt8]], budget: Int = 1_000_000, slots: Int = 64) -> [UInt32] {
    var interner = KeyInterner(hash: KeyHash(), budget: KeyBudget(maximum: budget), initialSlots: slots)
    return texts.enumerated().map { turn, text in
        let bytes = text + [UInt8](repeating: UInt8(truncatingIfNeeded: turn &* 37), count: ByteSearch.padding)
        return bytes.withUnsafeBufferPointer { interner.number(of: .init(rebasing: $0[..<text.count])).number }
    }
}

@Suite struct KeyInternerTests {
    @Test func numbersTextsInTheOrderOfTheirAppearance() {
        let texts = (0..<5000).map { Array("text \($0)".utf8) }
        #expect(numbers(of: texts) == Array(1...5000))
        #expect(numbers(of: texts + texts) == Array(1...5000) + Array(1...5000))
    }

    @Test func tellsApartTextsThatDifferAnywhere() {
        var texts: [[UInt8]] = []
        for length in 1...70 {
            let text = [UInt8](repeating: 0x61, count: length)
            texts.append(text)
            for place in 0..<length {
                var other = text
                other[place] = 0
                texts.append(other)
            }
        }
        #expect(numbers(of: texts) == (1...texts.count).map(UInt32.init))
        #expect(Array(numbers(of: texts + texts).dropFirst(texts.count)) == (1...texts.count).map(UInt32.init))
    }

    @Test func givesNothingNewWhenTheBudgetIsSpent() {
        let texts = ["a", "b", "c", "a", "d", "b"].map { Array($0.utf8) }
        #expect(numbers(of: texts, budget: 2) == [1, 2, 0, 1, 0, 2])
    }

    @Test func theBudgetCountsBytesToo() {
        let budget = KeyBudget(maximum: 4)
        var use = KeyBudget.Use()
        #expect(budget.admits(1 << 20, after: &use))
        #expect(!budget.admits(1025, after: &use))
        #expect(budget.admits(1024, after: &use))
        #expect(use == KeyBudget.Use(texts: 2, bytes: 1 << 20 + 1024))
    }

    /// A bad hash would still count right; only this notices.
    @Test func hashesSpread() {
        let hash = KeyHash()
        var low = Set<UInt64>()
        var high = Set<UInt64>()
        for number in 0..<4096 {
            let bytes = Array("/path/\(number)/index.html".utf8) + [UInt8](repeating: 0, count: ByteSearch.padding)
            let value = bytes.withUnsafeBufferPointer { hash(.init(rebasing: $0.dropLast(ByteSearch.padding))) }
            low.insert(value & 0xFFF)
            high.insert(value >> 52)
        }
        // 4096 balls in 4096 boxes leave 1507 empty on average, with a deviation of about 20.
        #expect(2400...2780 ~= low.count)
        #expect(2400...2780 ~= high.count)
    }
}
