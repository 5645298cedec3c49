// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import Testing

@Suite("Reducer: liftToEach")
struct ReducerLiftToEachTests {
    private let path: KeyPath<ShopAction, ItemAction?> = \.all

    @Test("each element is changed, once and in place", arguments: 0..<3)
    func collection(form: Int) {
        let lifted: Reducer<ShopAction, ShopState> = [
            itemReducer.liftToEach(action: \.all, stateCollection: \.items),
            itemReducer.liftToEach(action: { $0.all }, stateCollection: \.items),
            itemReducer.liftToEach(action: { $0 }, stateCollection: \.items).lift(action: path),
        ][form]
        var state = ShopState()
        lifted.reduce(.all(.add("x")), &state)
        lifted.reduce(.add(1, "y"), &state)
        #expect(state.items.map(\.text.text) == ["x", "x", "x"])
        #expect(state.items.map(\.text.copies) == [0, 0, 0])
        state.items = []
        lifted.reduce(.all(.add("x")), &state)
        #expect(state.items.isEmpty)
    }

    @Test("each value of a dictionary is changed, once and in place", arguments: 0..<3)
    func dictionary(form: Int) {
        let lifted: Reducer<ShopAction, ShopState> = [
            itemReducer.liftToEach(action: \.all, stateDictionary: \.table),
            itemReducer.liftToEach(action: { $0.all }, stateDictionary: \.table),
            itemReducer.liftToEach(action: { $0 }, stateDictionary: \.table).lift(action: path),
        ][form]
        var state = ShopState()
        lifted.reduce(.all(.add("x")), &state)
        lifted.reduce(.tick, &state)
        #expect(state.table.values.map(\.text.text) == ["x", "x"])
        #expect(state.table.values.map(\.text.copies) == [0, 0])
    }

    @Test("in order, and a keyed array finds what got another id")
    func order() {
        let number = Reducer<ItemAction, Item>.reduce { _, item in item.id *= 10 }
        let lifted: Reducer<ShopAction, ShopState> = number.liftToEach(action: \.all, stateCollection: \.keyed)
        var state = ShopState()
        lifted.reduce(.all(.add("")), &state)
        #expect(state.keyed.map(\.id) == [30, 10, 20])
        #expect(state.keyed.index(id: 20) == 2 && state.keyed.index(id: 2) == nil)
    }
}
