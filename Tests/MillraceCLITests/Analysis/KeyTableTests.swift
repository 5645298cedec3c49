// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MillraceCLI

private func definition(_ text: String, _ number: UInt32, of producer: UInt16) -> KeyDefinition {
    KeyDefinition(text: KeyText(bytes: Array(text.utf8)), number: number, producer: producer, dimension: .path)
}

private func tops(_ table: KeyTable, _ limit: Int) -> [String] {
    table.top(limit).map { "\($0.key.repaired) \($0.count)" }
}

@Suite struct KeyTableTests {
    @Test func countsOneTextUnderTheNumbersOfSeveralProducers() {
        var table = KeyTable(producers: 2, budget: KeyBudget(maximum: 10))
        table.define(definition("/a", 1, of: 0))
        table.define(definition("/b", 2, of: 0))
        table.define(definition("/b", 1, of: 1))
        table.define(definition("/a", 2, of: 1))
        for (number, producer) in [(1, 0), (2, 0), (1, 1), (1, 1), (2, 1)] { table.count(number, of: producer) }
        #expect(tops(table, 9) == ["/b 3", "/a 2"])
        #expect(table.distinct == 2)
        #expect(table.other == 0)
    }

    @Test func foldsWhatDoesNotFit() {
        var table = KeyTable(producers: 2, budget: KeyBudget(maximum: 1))
        table.define(definition("/a", 1, of: 0))
        table.define(definition("/b", 2, of: 0))
        table.define(definition("/a", 1, of: 1))
        for (number, producer) in [(1, 0), (2, 0), (0, 0), (1, 1)] { table.count(number, of: producer) }
        #expect(tops(table, 9) == ["/a 2"])
        #expect(table.other == 2)
    }

    @Test func aShardIsToldItsTextsInAnyOrder() {
        var table = KeyTable(producers: 1, budget: KeyBudget(maximum: 10))
        table.define(definition("/c", 3, of: 0))
        table.define(definition("/a", 1, of: 0))
        for number in [3, 1, 3] { table.count(number, of: 0) }
        #expect(tops(table, 9) == ["/c 2", "/a 1"])
    }

    @Test func textsOfDroppedEventsAreNotShown() {
        var table = KeyTable(producers: 1, budget: KeyBudget(maximum: 10))
        table.define(definition("/a", 1, of: 0))
        table.define(definition("/b", 2, of: 0))
        table.count(2, of: 0)
        #expect(table.distinct == 1)
        #expect(tops(table, 9) == ["/b 1"])
        #expect(tops(table, 1000) == ["/b 1"])
        #expect(table.sortedByKey().count == 1)
    }

    @Test func tablesAddUpWithinTheBudget() {
        var tables = [["/a", "/b"], ["/b", "/c"]].map { texts in
            var table = KeyTable(producers: 1, budget: KeyBudget(maximum: 2))
            for (place, text) in texts.enumerated() {
                table.define(definition(text, UInt32(place + 1), of: 0))
                table.count(place + 1, of: 0)
            }
            table.count(0, of: 0)
            return table
        }
        let second = tables.removeLast()
        tables[0].add(second)
        #expect(tops(tables[0], 9) == ["/b 2", "/a 1"])
        #expect(tables[0].other == 3)
    }

    @Test func topIsByCountAndThenByBytes() {
        var table = KeyTable(producers: 1, budget: KeyBudget(maximum: 100))
        for (place, text) in ["/b", "/a", "/c", "/ab", "/z"].enumerated() {
            table.define(definition(text, UInt32(place + 1), of: 0))
            for _ in 0..<(text == "/z" ? 3 : text == "/c" ? 1 : 2) { table.count(place + 1, of: 0) }
        }
        #expect(tops(table, 1) == ["/z 3"])
        #expect(tops(table, 3) == ["/z 3", "/a 2", "/ab 2"])
        #expect(tops(table, 100) == ["/z 3", "/a 2", "/ab 2", "/b 2", "/c 1"])
        #expect(tops(table, 1000) == ["/z 3", "/a 2", "/ab 2", "/b 2", "/c 1"])
        #expect(KeyTable(producers: 1, budget: KeyBudget(maximum: 1)).top(5) == [])
    }
}
