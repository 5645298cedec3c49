// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

@Suite("ComposedMiddlewareBuilder")
struct ComposedMiddlewareBuilderTests {
    private typealias Composed = ComposedMiddleware<Int, Int, Int>
    private let log = Recorder<String>()

    private func part(_ name: String) -> Spy<Int, Int, Int> {
        Spy(name: name, log: log)
    }

    private func names(_ middleware: some MiddlewareProtocol<Int, Int, Int>) -> [String] {
        log.clear()
        _ = middleware.handle(action: 1, from: .a, state: { 0 })
        return log.all.map { String($0.prefix { $0 != " " }) }
    }

    @Test("the written order, with conditions, loops and availability", arguments: [true, false])
    func control(isOn: Bool) {
        let name: String? = isOn ? "let" : nil
        let middleware = Composed {
            part("first")
            if isOn { part("if") }
            if isOn { part("then") } else { part("else").named("else") }
            if let name { part(name) }
            for number in 0..<3 { part("\(number)") }
            if #available(macOS 15, *) { part("available") }
        }
        let expected =
            isOn
            ? ["first", "if", "then", "let", "0", "1", "2", "available"]
            : ["first", "else", "0", "1", "2", "available"]
        #expect(names(middleware) == expected)
    }

    @Test("what is composed joins part by part, identities vanish")
    func flat() {
        let two: Composed = part("b") <> part("c")
        let middleware = Composed {
            part("a")
            IdentityMiddleware<Int, Int, Int>()
            two
            two.eraseToAnyMiddleware()
            part("d") <> part("e")
        }
        #expect(middleware.count == 7)
        #expect(names(middleware) == ["a", "b", "c", "b", "c", "d", "e"])
        #expect(Composed {}.count == 0)
    }

    @Test("lifts need no types of their own")
    func inference() {
        let check = LiftCheck()
        let middleware = ComposedMiddleware<AppAction, AppAction, AppState> {
            check.part.lift(inputAction: \.auth, outputAction: AppAction.auth, state: \.auth)
        }
        check.all(middleware)
    }
}
