// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import Testing

@Suite("Reducer: liftToOptional and liftToCase")
struct ReducerLiftToOptionalTests {
    private let path: KeyPath<ShopAction, ItemAction?> = \.all

    @Test("a state that is there is changed in place; nil stays nil", arguments: 0..<3)
    func optional(form: Int) {
        let lifted: Reducer<ShopAction, ShopState> = [
            itemReducer.liftToOptional(action: \.all, state: \.chosen),
            itemReducer.liftToOptional(action: { $0.all }, state: \.chosen),
            itemReducer.liftToOptional(state: \.chosen).lift(action: path),
        ][form]
        var state = ShopState()
        lifted.reduce(.all(.add("x")), &state)
        #expect(state == ShopState())
        state.chosen = Item(id: 1)
        for action: ShopAction in [.all(.add("x")), .tick] { lifted.reduce(action, &state) }
        #expect(state.chosen?.text.text == "x" && state.chosen?.text.copies == 0)
    }

    @Test("a computed state is written once, and not when it is nil")
    func computed() {
        let lifted: Reducer<ItemAction, ShopState> = itemReducer.liftToOptional(state: \.observedChoice)
        var state = ShopState()
        lifted.reduce(.add("x"), &state)
        #expect(state.writes == 0)
        state.chosen = Item(id: 1)
        lifted.reduce(.add("x"), &state)
        #expect(state.writes == 1 && state.chosen?.text.text == "x")
    }

    @Test("a case by a property")
    func property() {
        let lifted: Reducer<ItemAction, Screen> = itemReducer.liftToOptional(state: \.detail)
        var screen = Screen.start
        lifted.reduce(.add("x"), &screen)
        #expect(screen == .start)
        screen = .detail(Item(id: 1))
        lifted.reduce(.add("x"), &screen)
        #expect(screen == .detail(Item(id: 1, text: "x")))
    }

    @Test("a case by closures, changed in place", arguments: 0..<4)
    func closures(form: Int) {
        let lifted: Reducer<ShopAction, Screen> = [
            itemReducer.liftToCase(action: \.all, extract: \.detail, embed: Screen.detail),
            itemReducer.liftToCase(action: { $0.all }, extract: { $0.detail }, embed: { .detail($0) }),
            itemReducer.liftToCase(extract: \.detail, embed: Screen.detail).lift(action: path),
            itemReducer.liftToCase(extract: \.detail, embed: Screen.detail).lift(action: \.all),
        ][form]
        var screen = Screen.start
        lifted.reduce(.all(.add("x")), &screen)
        #expect(screen == .start)
        screen = .detail(Item(id: 1))
        for action: ShopAction in [.all(.add("x")), .tick] { lifted.reduce(action, &screen) }
        #expect(screen == .detail(Item(id: 1, text: "x")))
        #expect(screen.detail?.text.copies == 0)
    }
}
