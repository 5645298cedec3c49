// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import Testing

@Suite("Reducer: liftToDictionary")
struct ReducerLiftToDictionaryTests {
    @Test("the value of the key is changed in place, in each form; a key that is not there stays so", arguments: 0..<3)
    func forms(form: Int) {
        let path: KeyPath<ShopAction, ElementIDAction<Int, ItemAction>?> = \.item
        let lifted: Reducer<ShopAction, ShopState> = [
            itemReducer.liftToDictionary(action: \.item, stateDictionary: \.table),
            itemReducer.liftToDictionary(action: { $0.item }, stateDictionary: \.table),
            itemReducer.liftToDictionary(action: { $0 }, stateDictionary: \.table).lift(action: path),
        ][form]
        var state = ShopState()
        var expected = state
        expected.table[3]?.text = "x"
        for action: ShopAction in [.add(3, "x"), .add(4, "x"), .tick] { lifted.reduce(action, &state) }
        #expect(state == expected)
        #expect(state.table[3]?.text.copies == 0)
    }

    @Test("a dictionary that is shared is copied once, and the other keeps its value")
    func shared() {
        let lifted: Reducer<ShopAction, ShopState> = itemReducer.liftToDictionary(
            action: \.item,
            stateDictionary: \.table
        )
        var state = ShopState()
        let published = state
        lifted.reduce(.add(1, "x"), &state)
        lifted.reduce(.add(1, "y"), &state)
        #expect(published == ShopState())
        #expect(state.table[1]?.text.text == "xy" && state.table[1]?.text.copies == 1)
    }
}
