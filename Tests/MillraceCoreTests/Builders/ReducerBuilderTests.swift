// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import Testing

@Suite("ReducerBuilder")
struct ReducerBuilderTests {
    private func part(_ name: String) -> Reducer<Int, [String]> {
        .reduce { _, state in state.append(name) }
    }

    private func names(_ reducer: Reducer<Int, [String]>) -> [String] {
        var state: [String] = []
        reducer.reduce(1, &state)
        return state
    }

    @Test("the written order, with conditions, loops and availability", arguments: [true, false])
    func control(isOn: Bool) {
        let name: String? = isOn ? "let" : nil
        let reducer = Reducer<Int, [String]> {
            part("first")
            if isOn { part("if") }
            if isOn { part("then") } else { part("else") }
            if let name { part(name) }
            for number in 0..<3 { part("\(number)") }
            if #available(macOS 15, *) { part("available") }
            Reducer.identity
        }
        let expected =
            isOn
            ? ["first", "if", "then", "let", "0", "1", "2", "available"]
            : ["first", "else", "0", "1", "2", "available"]
        #expect(names(reducer) == expected)
    }

    @Test("an empty block is the identity")
    func empty() {
        #expect(Reducer<Int, [String]> {}.isIdentity)
    }

    @Test("lifts need no types of their own")
    func inference() {
        let reducer = Reducer<AppAction, AppState> {
            authReducer.lift(action: \.auth, state: \.auth)
            listReducer.lift(action: \.list, state: \.list)
        }
        var state = AppState()
        reducer.reduce(.auth(.logIn("a")), &state)
        reducer.reduce(.list(.append(1)), &state)
        #expect(state == AppState(auth: AuthState(user: "a", visits: 1), list: [1]))
    }
}
