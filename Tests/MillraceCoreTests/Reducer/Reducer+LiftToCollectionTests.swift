// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

private typealias Shop = Reducer<ShopAction, ShopState>

/// Reads its elements as a list that no subscript can guess: its indices are no range.
private struct Spaced: MutableCollection, Equatable {
    var elements: [Item]
    var startIndex: Int { 0 }
    var endIndex: Int { elements.count * 10 }
    func index(after index: Int) -> Int { index + 10 }
    subscript(position: Int) -> Item {
        get { elements[position % 10 == 0 ? position / 10 : -1] }
        set { elements[position % 10 == 0 ? position / 10 : -1] = newValue }
    }
}

/// Numbers with names, which are stored beside them.
private struct Named: KeyedCollection, Equatable {
    var names: [String]
    var numbers: [Int]
    var startIndex: Int { 0 }
    var endIndex: Int { numbers.count }
    func index(after index: Int) -> Int { index + 1 }
    func index(id: String) -> Int? { names.firstIndex(of: id) }
    subscript(position: Int) -> Int {
        get { numbers[position] }
        set { numbers[position] = newValue }
    }
}

@Suite("Reducer: liftToCollection")
struct ReducerLiftToCollectionTests {
    private static let paths: [Shop] = {
        // Values of key paths, not literals.
        let id: KeyPath<ShopAction, ElementIDAction<Int, ItemAction>?> = \.item
        return [
            itemReducer.liftToCollection(action: id, stateCollection: \.items),
            itemReducer.liftToCollection(action: id, stateCollection: \.items, identifier: \.id),
        ]
    }()

    private static let byID: [Shop] =
        paths + [
            itemReducer.liftToCollection(action: \.item, stateCollection: \.items),
            itemReducer.liftToCollection(action: { $0.item }, stateCollection: \.items),
            itemReducer.liftToCollection(action: \.item, stateCollection: \.items, identifier: \.id),
            itemReducer.liftToCollection(action: { $0.item }, stateCollection: \.items, identifier: \.id),
        ]

    @Test("by id: the one element is changed, in each form; nothing happens without it", arguments: 0..<6)
    func byID(form: Int) {
        let lifted = Self.byID[form]
        var state = ShopState()
        state.items[1].text = "one "
        var expected = state
        expected.items[1].text = "one more"
        lifted.reduce(.add(1, "more"), &state)
        #expect(state == expected)
        for action: ShopAction in [.add(9, "x"), .tick, .all(.add("x"))] { lifted.reduce(action, &state) }
        #expect(state == expected)
    }

    @Test("by id: of several the first is changed")
    func duplicates() {
        var state = ShopState()
        state.items = [Item(id: 1), Item(id: 2, name: "first"), Item(id: 2, name: "second")]
        state.keyed = KeyedArray(state.items)
        (itemReducer.liftToCollection(action: \.item, stateCollection: \.items)
            <> itemReducer.liftToCollection(action: \.item, stateCollection: \.keyed) as Shop)
            .reduce(.add(2, "!"), &state)
        #expect(state.items.map(\.text.text) == ["", "!", ""])
        #expect(Array(state.keyed) == state.items)
    }

    @Test("elements without ids of their own: the keyed collection finds the one that is addressed")
    func keyedWithoutIDs() {
        let lifted = Reducer<Int, Int>.reduce { $1 += $0 }
            .liftToCollection(
                action: { (action: ElementIDAction<String, Int>) in action },
                stateCollection: \Named.self
            )
        var named = Named(names: ["a", "b"], numbers: [1, 2])
        for id in ["b", "c"] { lifted.reduce(ElementIDAction(id: id, action: 5), &named) }
        #expect(named.numbers == [1, 7])
    }

    @Test("an unknown element is inserted by a computed property, too; its setter is called once")
    func insertedByProperty() {
        let lifted: Shop = itemReducer.liftToCollection(
            action: \.item,
            stateCollection: \.observedItems,
            unknown: .insert { Item(id: $0, name: "new") }
        )
        var state = ShopState()
        lifted.reduce(.add(9, "x"), &state)
        #expect(state.items == ShopState().items + [Item(id: 9, text: "x", name: "new")])
        #expect(state.writes == 1)
    }

    @Test("an identifier is compared, also in a collection that is keyed by something of its type")
    func identifierInKeyed() {
        struct Person: Identifiable, Sendable {
            let id: Int
            let badge: Int
            var visits = 0
        }
        let reducer = Reducer<Int, Person>.reduce { $1.visits += $0 }
            .liftToCollection(
                action: { (action: ElementIDAction<Int, Int>) in action },
                stateCollection: \KeyedArray<Person>.self,
                identifier: \.badge
            )
        var people: KeyedArray = [Person(id: 1, badge: 2), Person(id: 2, badge: 1)]
        reducer.reduce(ElementIDAction(id: 1, action: 5), &people)
        #expect(people.map(\.visits) == [0, 5])
    }

    @Test("by another identifier")
    func identifier() {
        let reducer = Reducer<Int, AuthState>.reduce { action, state in state.visits += action }
        let lifted: Reducer<ElementIDAction<String?, Int>, [AuthState]> = reducer.liftToCollection(
            action: \.self.optional,
            stateCollection: \.self,
            identifier: \.user
        )
        var state = [AuthState(user: nil), AuthState(user: "a"), AuthState(user: "b")]
        lifted.reduce(ElementIDAction(id: "b", action: 2), &state)
        lifted.reduce(ElementIDAction(id: nil, action: 3), &state)
        lifted.reduce(ElementIDAction(id: "c", action: 4), &state)
        #expect(state.map(\.visits) == [3, 0, 2])
    }

    @Test("by index, in each form; outside of the bounds nothing happens", arguments: 0..<3)
    func byIndex(form: Int) {
        let path: KeyPath<ShopAction, ElementIndexAction<Int, ItemAction>?> = \.row
        let forms: [Shop] = [
            itemReducer.liftToCollection(action: \.row, stateCollection: \.items),
            itemReducer.liftToCollection(action: { $0.row }, stateCollection: \.items),
            itemReducer.liftToCollection(action: path, stateCollection: \.items),
        ]
        var state = ShopState()
        for index in [-1, 0, 2, 3, .max, .min] {
            forms[form].reduce(.row(ElementIndexAction(index: index, action: .add("\(index)"))), &state)
        }
        forms[form].reduce(.tick, &state)
        #expect(state.items.map(\.text.text) == ["0", "", "2"])
    }

    @Test("by index: one within the bounds which the collection does not have is no index of it")
    func gaps() {
        let lifted: Reducer<ElementIndexAction<Int, ItemAction>, Spaced> = itemReducer.liftToCollection(
            action: { .some($0) },
            stateCollection: \.self
        )
        var state = Spaced(elements: [Item(id: 1), Item(id: 2)])
        for index in [5, 10, 15, 20] { lifted.reduce(ElementIndexAction(index: index, action: .add("x")), &state) }
        #expect(state.elements.map(\.text.text) == ["", "x"])
    }

    @Test("a slice is addressed by its own indices")
    func slice() {
        let lifted: Reducer<ElementIndexAction<Int, ItemAction>, ArraySlice<Item>> = itemReducer.liftToCollection(
            action: { .some($0) },
            stateCollection: \.self
        )
        var state = ShopState().items[1...]
        for index in 0..<4 { lifted.reduce(ElementIndexAction(index: index, action: .add("\(index)")), &state) }
        #expect(state.map(\.text.text) == ["1", "2"])
    }

    @Test("a keyed collection is asked, not searched, also from generic code")
    func keyed() {
        func generic<Elements: MutableCollection>(
            _ type: Elements.Type
        ) -> Reducer<ElementIDAction<Int, ItemAction>, Elements> where Elements.Element == Item {
            itemReducer.liftToCollection(action: { .some($0) }, stateCollection: \.self)
        }
        let direct: Reducer<ElementIDAction<Int, ItemAction>, Oracle> = itemReducer.liftToCollection(
            action: \.optional,
            stateCollection: \.self
        )
        let path: KeyPath<ElementIDAction<Int, ItemAction>, ElementIDAction<Int, ItemAction>?> = \.optional
        let byPath: Reducer<ElementIDAction<Int, ItemAction>, Oracle> = itemReducer.liftToCollection(
            action: path,
            stateCollection: \.self
        )
        var state = Oracle(elements: [Item(id: 0), Item(id: 1)], asked: Recorder())
        for lifted in [direct, byPath, generic(Oracle.self)] {
            lifted.reduce(ElementIDAction(id: 1, action: .add("x")), &state)
            lifted.reduce(ElementIDAction(id: 2, action: .add("x")), &state)
        }
        #expect(state.elements.map(\.text.text) == ["", "xxx"])
        #expect(state.asked.all == [1, 2, 1, 2, 1, 2])
    }

    @Test("an element of a keyed array that gets another id is found by it")
    func newID() {
        let lifted: Shop = itemReducer.liftToCollection(action: \.item, stateCollection: \.keyed)
        var state = ShopState()
        lifted.reduce(.item(ElementIDAction(id: 1, action: .rename(8))), &state)
        lifted.reduce(.add(1, "old"), &state)
        lifted.reduce(.add(8, "new"), &state)
        #expect(state.keyed.map(\.text.text) == ["", "new", ""])
    }

    @Test("the element is changed in place: neither it nor the collection is copied")
    func inPlace() {
        let forms: [Shop] =
            Self.byID + [
                itemReducer.liftToCollection(action: \.row, stateCollection: \.items),
                itemReducer.liftToCollection(action: \.item, stateCollection: \.keyed),
            ]
        var state = ShopState()
        let address = state.items.withUnsafeBufferPointer { $0.baseAddress }
        for lifted in forms {
            lifted.reduce(.add(1, "x"), &state)
            lifted.reduce(.row(ElementIndexAction(index: 1, action: .add("y"))), &state)
        }
        #expect(state.items[1].text.text == "xxxxxxy" && state.keyed[1].text.text == "x")
        #expect(state.items.map(\.text.copies) + state.keyed.map(\.text.copies) == Array(repeating: 0, count: 6))
        #expect(state.items.withUnsafeBufferPointer { $0.baseAddress } == address)
    }

    @Test("a computed collection is written once, and not when the element is not there")
    func computed() {
        let lifted: Shop = itemReducer.liftToCollection(action: \.item, stateCollection: \.observedItems)
        var state = ShopState()
        lifted.reduce(.add(9, "x"), &state)
        #expect(state.writes == 0)
        lifted.reduce(.add(2, "x"), &state)
        #expect(state.writes == 1 && state.items[2].text.text == "x")
    }
}
