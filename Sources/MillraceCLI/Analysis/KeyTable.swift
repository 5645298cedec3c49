// SPDX-License-Identifier: Apache-2.0

import MillraceRecords

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
        let place = place(number, of: producer)
        counts[place] &+= 1
        return place
    }

    /// Returns the index of the text with the producer's `number`; 0 for a number that was not defined. A run defines
    /// each number first, but a file may say anything.
    @inline(__always)
    func place(_ number: Int, of producer: Int) -> Int {
        guard producer < translations.count, number < translations[producer].count else { return 0 }
        return Int(translations[producer][number])
    }

    mutating func define(_ definition: KeyDefinition) {
        let producer = Int(definition.producer)
        let number = Int(definition.number)
        // No run has such a producer, or gives that many numbers: its file was changed.
        guard producer < translations.count, number <= budget.maximum else { return }
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

extension KeyTable {
    /// Writes the table for a snapshot.
    func write(to output: inout RecordBuffer) {
        output.append(UInt64(budget.maximum))
        output.append(UInt64(texts.count))
        for (text, count) in zip(texts, counts) {
            output.append(UInt32(text.bytes.count))
            text.bytes.withUnsafeBytes { output.append($0) }
            output.append(count)
        }
        output.append(UInt64(translations.count))
        for translation in translations { output.append(contentsOf: translation) }
    }

    /// Reads a table from a snapshot.
    init(_ bytes: inout StateBytes) throws(CodecError) {
        self.init(producers: 0, budget: KeyBudget(maximum: try bytes.count()))
        let number = try bytes.count()
        guard number > 0 else { throw bytes.damaged("a table without texts") }
        (texts, counts) = ([], [])
        for place in 0..<number {
            let text = KeyText(bytes: try bytes.bytes(Int(try bytes.next() as UInt32)))
            counts.append(try bytes.next())
            texts.append(text)
            guard place > 0 else { continue }
            places[text] = UInt32(place)
            used.texts += 1
            used.bytes += text.bytes.count
        }
        guard places.count == number - 1 else { throw bytes.damaged("a text that is twice in a table") }
        for _ in 0..<(try bytes.count()) {
            let translation = try bytes.array(of: UInt32.self)
            guard translation.allSatisfy({ $0 < number }) else { throw bytes.damaged("a number without a text") }
            translations.append(translation)
        }
    }
}
