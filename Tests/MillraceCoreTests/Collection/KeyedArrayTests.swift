// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceCore
import TestSupport
import Testing

private struct Entry: Hashable, Identifiable, Codable, Sendable {
    var id: Int
    var value = 0
}

@Suite("KeyedArray")
struct KeyedArrayTests {
    @Test("does what an array does, and finds what a search finds, whatever is done to it, ids repeated or not")
    func model() {
        let counterexample = firstCounterexample(cases: 400) { random in
            // With few ids there are duplicates most of the time, with many hardly ever.
            let ids = 0..<(Bool.random(using: &random) ? 6 : 5000)
            var (keyed, array) = (KeyedArray<Entry>(), [Entry]())
            for step in 0..<60 {
                let entry = Entry(id: Int.random(in: ids, using: &random), value: step)
                let index = array.isEmpty ? nil : array.indices.randomElement(using: &random)
                switch Int.random(in: 0..<12, using: &random) {
                case 0...2:
                    keyed.append(entry)
                    array.append(entry)
                case 3:
                    keyed.insert(entry, at: index ?? 0)
                    array.insert(entry, at: index ?? 0)
                case 4:
                    guard let index else { continue }
                    if keyed.remove(at: index) != array.remove(at: index) { return "remove(at:) returned another" }
                case 5:
                    guard let index else { continue }
                    keyed[index] = entry
                    array[index] = entry
                case 6:
                    guard let index else { continue }
                    keyed[index].id = entry.id
                    array[index].id = entry.id
                case 7:
                    guard let index else { continue }
                    keyed.swapAt(0, index)
                    array.swapAt(0, index)
                case 8:
                    let found = array.firstIndex { $0.id == entry.id }
                    if keyed.remove(id: entry.id) != found.map({ array.remove(at: $0) }) { return "remove(id:)" }
                case 9:
                    keyed.removeAll { $0.id % 5 == entry.id % 5 }
                    array.removeAll { $0.id % 5 == entry.id % 5 }
                case 10:
                    let range = (index ?? 0)..<array.count
                    keyed.replaceSubrange(range, with: [entry, entry])
                    array.replaceSubrange(range, with: [entry, entry])
                default:
                    keyed.sort { $0.id < $1.id }
                    array.sort { $0.id < $1.id }
                }
                if Array(keyed) != array { return "step \(step): \(keyed) is not \(array)" }
                for id in Set(array.map(\.id)).union([entry.id, -1]) {
                    let expected = array.firstIndex { $0.id == id }
                    if keyed.index(id: id) != expected { return "step \(step): \(id) found at another place" }
                }
            }
            return nil
        }
        #expect(counterexample == nil)
    }

    @Test("finds each of many elements after growing, and after room was made")
    func many() {
        var keyed = KeyedArray<Entry>()
        keyed.reserveCapacity(10)
        for id in 0..<5000 { keyed.append(Entry(id: id * 64)) }
        #expect((0..<5000).allSatisfy { keyed.index(id: $0 * 64) == $0 })
        #expect(keyed.index(id: 1) == nil)
        keyed.reserveCapacity(20000)
        #expect((0..<5000).allSatisfy { keyed.index(id: $0 * 64) == $0 })
    }

    @Test("by id: reads, replaces, appends and removes")
    func subscriptByID() {
        var keyed: KeyedArray = [Entry(id: 1), Entry(id: 2)]
        #expect(keyed[id: 2] == Entry(id: 2) && keyed[id: 3] == nil)
        keyed[id: 1] = Entry(id: 1, value: 5)
        keyed[id: 3] = Entry(id: 3)
        keyed[id: 2] = nil
        keyed[id: 9] = nil
        #expect(keyed == [Entry(id: 1, value: 5), Entry(id: 3)])
        keyed[id: 1] = Entry(id: 4)
        #expect(keyed.index(id: 1) == nil && keyed.index(id: 4) == 0)
    }

    @Test("is equal, hashed, described and coded as its elements in order, however it came to them")
    func conformances() throws {
        var keyed: KeyedArray = [Entry(id: 9), Entry(id: 1), Entry(id: 2)]
        keyed.removeFirst()
        let same: KeyedArray = [Entry(id: 1), Entry(id: 2)]
        #expect(keyed == same && keyed.hashValue == same.hashValue && keyed != [Entry(id: 2), Entry(id: 1)])
        #expect("\(keyed)" == "\(Array(same))")
        let data = try JSONEncoder().encode(keyed)
        #expect(try JSONDecoder().decode([Entry].self, from: data) == Array(same))
        let decoded = try JSONDecoder().decode(KeyedArray<Entry>.self, from: data)
        #expect(decoded == same && decoded.index(id: 2) == 1)
    }

    @Test("is a value: a copy keeps what the original loses")
    func copies() {
        let original: KeyedArray = [Entry(id: 1), Entry(id: 2)]
        var copy = original
        copy.remove(id: 1)
        copy[0].id = 5
        #expect(original.index(id: 1) == 0 && original.index(id: 2) == 1 && original.index(id: 5) == nil)
        #expect(copy.index(id: 5) == 0 && copy.count == 1)
    }

    @Test("an element is changed in place")
    func inPlace() {
        var keyed: KeyedArray = [Item(id: 1, text: "a")]
        keyed[0].text.append("b")
        #expect(keyed[0].text.text == "ab" && keyed[0].text.copies == 0)
    }
}
