// SPDX-License-Identifier: Apache-2.0

/// The counts of one dimension. Counting is two array accesses; texts are hashed only when a producer defines one.
struct KeyTable: Sendable {
    /// The texts, in the order of their definition; the first one stands for "other" and is empty.
    private(set) var texts: ContiguousArray<KeyText> = [KeyText(bytes: [])]
    /// Events per text.
    private(set) var counts: ContiguousArray<UInt64> = [0]

    private var places: [KeyText: UInt32] = [:]
    /// Per producer: its number for a text, to the place of the text here.
    private var translations: ContiguousArray<ContiguousArray<UInt32>>
    private let budget: KeyBudget
    private var used = KeyBudget.Use()

    init(producers: Int, budget: KeyBudget) {
        translations = ContiguousArray(repeating: [0], count: producers)
        self.budget = budget
    }

    /// The number of texts in the table.
    var distinct: Int { texts.count - 1 }

    /// Events of texts that are not in the table.
    var other: UInt64 { counts[0] }

    /// Counts one event of the text with the producer's `number`.
    @inline(__always)
    mutating func count(_ number: Int, of producer: Int) {
        counts[Int(translations[producer][number])] &+= 1
    }

    mutating func define(_ definition: KeyDefinition) {
        let producer = Int(definition.producer)
        assert(translations[producer].count == Int(definition.number), "a definition was lost or reordered")
        translations[producer].append(place(of: definition.text))
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
