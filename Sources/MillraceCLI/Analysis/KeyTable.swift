// SPDX-License-Identifier: Apache-2.0

/// The counts of one dimension. Counting an event takes two array accesses. Texts are hashed only when a producer
/// defines one.
struct KeyTable: Sendable {
    /// The texts, in the order of their definition. The first one is empty and stands for "other".
    private(set) var texts: ContiguousArray<KeyText> = [KeyText(bytes: [])]
    /// The number of events per text.
    private(set) var counts: ContiguousArray<UInt64> = [0]

    private var places: [KeyText: UInt32] = [:]
    /// For each producer, the index of a text in this table by the producer's number.
    private var translations: ContiguousArray<ContiguousArray<UInt32>>
    private let budget: KeyBudget
    private var used = KeyBudget.Use()

    init(producers: Int, budget: KeyBudget) {
        translations = ContiguousArray(repeating: [0], count: producers)
        self.budget = budget
    }

    /// The number of texts with events. A text has none if all its events were dropped or rejected.
    var distinct: Int { counts.dropFirst().count { $0 > 0 } }

    /// The number of events whose texts are not in the table.
    var other: UInt64 { counts[0] }

    /// Counts one event of the text with the producer's `number`. Returns the index of the text.
    @inline(__always)
    @discardableResult
    mutating func count(_ number: Int, of producer: Int) -> Int {
        let place = Int(translations[producer][number])
        counts[place] &+= 1
        return place
    }

    /// Returns the index of the text with the producer's `number`.
    func place(_ number: Int, of producer: Int) -> Int { Int(translations[producer][number]) }

    mutating func define(_ definition: KeyDefinition) {
        let producer = Int(definition.producer)
        let number = Int(definition.number)
        // The numbers in between belong to texts of other shards, or will be defined later.
        let missing = number + 1 - translations[producer].count
        if missing > 0 { translations[producer].append(contentsOf: repeatElement(0, count: missing)) }
        assert(translations[producer][number] == 0, "a number was defined twice")
        translations[producer][number] = place(of: definition.text)
    }

    /// Adds the counts of another table. Texts that do not fit are counted as other. Returns the index in this table
    /// for each index in the other one.
    @discardableResult
    mutating func add(_ table: KeyTable) -> [Int] {
        counts[0] &+= table.other
        var places = [0]
        for (text, count) in zip(table.texts, table.counts).dropFirst() {
            let place = count > 0 ? Int(place(of: text)) : 0
            counts[place] &+= count
            places.append(place)
        }
        return places
    }

    private mutating func place(of text: KeyText) -> UInt32 {
        if let known = places[text] { return known }
        guard budget.admits(text.bytes.count, after: &used) else { return 0 }
        let place = UInt32(texts.count)
        places[text] = place
        texts.append(text)
        counts.append(0)
        return place
    }
}
