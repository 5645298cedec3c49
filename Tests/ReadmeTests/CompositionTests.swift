// SPDX-License-Identifier: Apache-2.0

import MillraceCombine
import TestSupport
import Testing

/// Putting parts together with `<>`.
@Suite("Readme: composition")
struct CompositionTests {
    private struct Step: MiddlewareProtocol, Sendable {
        let name: String
        let log: Recorder<String>

        func handle(action: Int, from dispatcher: ActionSource, state: @escaping GetState<Int>) -> IO<Int> {
            log.record("\(name) sees \(state())")
            return IO { [self] _ in log.record("\(name) after \(state())") }
        }
    }

    @Test("reducers run in the order in which they are written; none is the identity")
    func reducers() {
        let double = Reducer<Int, Int>.reduce { _, state in state *= 2 }
        let add = Reducer<Int, Int>.reduce { action, state in state += action }
        var state = 1
        (double <> add <> .identity).reduce(3, &state)
        #expect(state == 5)
        [add, double].reduce(.identity, <>).reduce(1, &state)
        #expect(state == 12)
    }

    @Test("middlewares: as they are, annotated as composed, appended one by one")
    func middlewares() {
        let log = Recorder<String>()
        let (a, b) = (Step(name: "a", log: log), Step(name: "b", log: log))
        let annotated: ComposedMiddleware<Int, Int, Int> = a <> b
        var appended = ComposedMiddleware<Int, Int, Int>()
        appended.append(middleware: a)
        appended.append(middleware: IdentityMiddleware<Int, Int, Int>())
        appended.append(middleware: b)
        let expected = ["a sees 1", "b sees 1", "b after 1", "a after 1"]
        for middleware in [
            annotated.eraseToAnyMiddleware(), appended.eraseToAnyMiddleware(), (a <> b).eraseToAnyMiddleware(),
            (IdentityMiddleware() <> a <> b <> ComposedMiddleware()).eraseToAnyMiddleware(),
        ] {
            log.clear()
            middleware.handle(action: 0, from: .here(), state: { 1 }).run { _ in }
            #expect(log.all == expected)
        }
    }

    @Test("a large app's middlewares in one expression")
    func many() {
        let log = Recorder<String>()
        func step(_ name: String) -> Step { Step(name: name, log: log) }
        let all: ComposedMiddleware<Int, Int, Int> =
            step("1") <> step("2") <> step("3") <> step("4") <> step("5") <> step("6") <> step("7") <> step("8")
        all.handle(action: 0, from: .here(), state: { 0 }).run { _ in }
        #expect(log.count == 16)
        #expect(log.all[8] == "8 after 0")
    }
}
