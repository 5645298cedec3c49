// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

@Suite("OrderedList")
struct OrderedListTests {
    private final class Element {
        let id: Int

        init(_ id: Int) { self.id = id }
    }

    private func ids(_ list: OrderedList<Element>) -> [Int] { list.entries.compactMap { $0.element?.id } }

    @Test("random additions and removals: the order of an array, and fewer gaps than elements")
    func random() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix64(seed: seed)
        var list = OrderedList<Element>()
        var model: [(number: UInt, id: Int)] = []
        for id in 0..<5_000 {
            // Grows in the first half, shrinks in the second.
            if Int.random(in: 0..<5, using: &random) < (id < 2_500 ? 3 : 2) {
                model.append((list.append(Element(id)), id))
            } else if let index = model.indices.randomElement(using: &random) {
                let removed = model.remove(at: index)
                #expect(list.remove(removed.number)?.id == removed.id, "seed \(seed)")
                #expect(list.remove(removed.number) == nil, "seed \(seed)")
            }
            guard list.count == model.count, list.isEmpty == model.isEmpty,
                list.only?.id == (model.count == 1 ? model[0].id : nil),
                list.entries.count < 2 * max(1, model.count)
            else { return #expect(Bool(false), "step \(id), seed \(seed)") }
        }
        #expect(ids(list) == model.map(\.id), "seed \(seed)")
    }

    @Test("what is taken out is released, a copy of the entries stays as it was")
    func copies() {
        var list = OrderedList<Element>()
        let numbers = (0..<10).map { list.append(Element($0)) }
        weak let released = list.entries[3].element
        let copy = list.entries
        for number in numbers[2..<5] { _ = list.remove(number) }
        #expect(ids(list) == [0, 1, 5, 6, 7, 8, 9])
        #expect(copy.compactMap { $0.element?.id } == Array(0..<10))
        #expect(released != nil)
        withExtendedLifetime(copy) {}
    }

    @Test("nothing that was taken out is kept")
    func releases() {
        var list = OrderedList<Element>()
        let numbers = (0..<10).map { list.append(Element($0)) }
        weak let released = list.entries[3].element
        _ = list.remove(numbers[3])
        #expect(released == nil)
        #expect(list.remove(99) == nil)
    }
}
