// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

private typealias Part = Spy<Int, Int, [String]>

@Suite("HandlerBuilder")
struct HandlerBuilderTests {
    private let log = Recorder<String>()

    private func reducer(_ name: String) -> Reducer<Int, [String]> {
        .reduce { _, state in state.append(name) }
    }

    private func part(_ name: String) -> Part {
        Part(name: name, log: log)
    }

    /// The names of the reducers, then those of the middlewares, in the order in which they are asked.
    private func names(_ handler: Handler<Void, some MiddlewareProtocol<Int, Int, [String]>>) -> [String] {
        var state: [String] = []
        handler.reducer.reduce(1, &state)
        log.clear()
        _ = handler.middleware.inject(()).handle(action: 1, from: .a, state: { [] })
        return state + log.all.map { String($0.prefix { $0 != " " }) }
    }

    @Test("reducers, middlewares and handlers keep the written order, and their types")
    func order() {
        let inner = Handler(reducer: reducer("r2"), middleware: part("m2"))
        typealias None = IdentityMiddleware<Int, Int, [String]>
        typealias All = Chain<Chain<Chain<Chain<Part, None>, Part>, None>, Part>
        let handler: Handler<Void, All> = Handler {
            part("m1")
            reducer("r1")
            inner
            reducer("r3")
            part("m3")
        }
        #expect(names(handler) == ["r1", "r2", "r3", "m1", "m2", "m3"])
    }

    @Test("an empty block does nothing", arguments: [1])
    func empty(action: Int) {
        let handler = Handler<Void, IdentityMiddleware<Int, Int, [String]>> {}
        #expect(handler.reducer.isIdentity)
        #expect(names(handler) == [])
    }

    @Test("conditions, loops and availability", arguments: [true, false])
    func control(isOn: Bool) {
        let name: String? = isOn ? "let" : nil
        let handler = Handler {
            if isOn {
                reducer("if")
                part("if")
            } else {
                part("else")
            }
            if let name {
                part(name)
            }
            for number in 0..<2 {
                reducer("r\(number)")
                part("m\(number)")
            }
            if #available(macOS 15, *) {
                part("available")
            }
            switch isOn {
            case true: part("on")
            case false: reducer("off")
            }
        }
        let expected =
            isOn
            ? ["if", "r0", "r1", "if", "let", "m0", "m1", "available", "on"]
            : ["r0", "r1", "off", "else", "m0", "m1", "available"]
        #expect(names(handler) == expected)
    }

    @Test("in a block whose type is known, lifts need no types of their own")
    func inference() {
        let check = LiftCheck()
        func app<M: MiddlewareProtocol<AppAction, AppAction, AppState>>(
            @HandlerBuilder<AppAction, AppState> _ content: () -> Handler<Void, M>
        ) -> Handler<Void, M> { content() }
        let handler = app {
            authReducer.lift(action: \.auth, state: \.auth)
            check.part.lift(inputAction: \.auth, outputAction: AppAction.auth, state: \.auth)
        }
        check.all(handler.middleware.inject(()))
        var state = AppState()
        handler.reducer.reduce(.auth(.logIn("a")), &state)
        #expect(state.auth.user == "a")
    }
}
