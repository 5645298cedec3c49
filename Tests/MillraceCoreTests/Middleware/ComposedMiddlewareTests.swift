// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

@Suite("ComposedMiddleware")
struct ComposedMiddlewareTests {
    private typealias Composed = ComposedMiddleware<Int, String, Int>
    private typealias Identity = IdentityMiddleware<Int, String, Int>
    private let log = Recorder<String>()
    private let sink = SinkSpy<String>()
    private let add = Reducer<Int, Int>.reduce { action, state in state += action }

    private func spy(_ name: String, output: String? = nil) -> Spy<Int, String, Int> {
        Spy(name: name, log: log, output: output)
    }

    @Test("empty: nothing to do")
    func empty() {
        #expect(Composed().count == 0)
        #expect(Composed.identity.count == 0)
        #expect(Composed().handle(action: 1, from: .a, state: { 0 }).isPure)
        #expect(!Composed().hasAfterReduce)
    }

    @Test("handle first to last, before the reducers; work last to first, after them")
    func mirrored() {
        var composed = Composed()
        for name in ["1", "2", "3"] { composed.append(middleware: spy(name, output: name)) }
        #expect(composed.count == 3)
        for composed in unboundAndBound(composed, state: Shared(0)) {
            log.clear()
            sink.log.clear()
            cycle(composed, 10, state: Shared(0), output: sink)
            #expect(
                log.all == ["1 handle 10 1 0", "2 handle 10 1 0", "3 handle 10 1 0", "3 io 0", "2 io 0", "1 io 0"]
            )
            #expect(sink.log.all.map(\.action) == ["3", "2", "1"])
        }
    }

    @Test("bound, it reads the state of the store, before and after the reducers")
    func boundState() {
        let state = Shared(0)
        var composed = Composed()
        composed.append(middleware: spy("1", output: "x"))
        composed.bind(MiddlewareBinding(state: { state.value }))
        cycle(composed, 10, state: state, reducer: add, output: sink)
        #expect(log.all == ["1 handle 10 1 0", "1 io 10"])
    }

    @Test("afterReduce last to first, and only where there is one")
    func afterReduce() {
        var composed = Composed()
        #expect(!composed.hasAfterReduce)
        composed.append(middleware: spy("0"))
        #expect(!composed.hasAfterReduce)
        for name in ["1", "2"] {
            composed.append(middleware: LateSpy<Int, String, Int>(name: name, log: log, output: name))
        }
        #expect(composed.hasAfterReduce)
        for composed in unboundAndBound(composed, state: Shared(0)) {
            log.clear()
            sink.log.clear()
            cycle(composed, 10, state: Shared(0), output: sink)
            #expect(log.all == ["0 handle 10 1 0", "1 handle", "2 handle", "2 after 10 1 0", "1 after 10 1 0"])
            #expect(sink.log.all.map(\.action) == ["2", "1"])
        }
    }

    @Test("identities vanish, also when they are erased, chained or composed")
    func identities() {
        var composed = Composed()
        composed.append(middleware: Identity())
        composed.append(middleware: Identity().eraseToAnyMiddleware())
        composed.append(middleware: Identity().eraseToAnyMiddleware().eraseToAnyMiddleware())
        composed.append(middleware: Identity() <> Identity())
        composed.append(middleware: (Identity() <> Identity()).eraseToAnyMiddleware())
        composed.append(middleware: Composed())
        composed.append(middleware: Composed().eraseToAnyMiddleware())
        #expect(composed.count == 0)
        composed.append(middleware: Identity() <> spy("1") <> Identity())
        #expect(composed.count == 1)
        let typed: Composed = Identity() <> Identity()
        #expect(typed.count == 0)
    }

    @Test("composites join part by part, also when they are erased")
    func flat() {
        let two: Composed = spy("1") <> spy("2")
        #expect(two.count == 2)
        let forms: [Composed] = [
            two <> two,
            two <> two.eraseToAnyMiddleware(),
            two.eraseToAnyMiddleware() <> two,
            two <> (spy("1") <> spy("2")),
            two <> (spy("1") <> spy("2")).eraseToAnyMiddleware().eraseToAnyMiddleware(),
            (spy("1") <> spy("2")) <> (spy("1") <> spy("2")),
            two <> Identity() <> two.eraseToAnyMiddleware().eraseToAnyMiddleware() <> Composed(),
        ]
        let expected = ["1", "2", "1", "2"].map { "\($0) handle 1 1 0" }
        for composed in forms {
            #expect(composed.count == 4)
            log.clear()
            cycle(composed, 1, state: Shared(0), output: sink)
            #expect(log.all == expected)
        }
    }

    @Test("is a value: composing and appending change no other")
    func value() {
        let one: Composed = spy("1") <> Identity()
        let two = one <> spy("2")
        var three = two
        three.append(middleware: spy("3"))
        #expect([one.count, two.count, three.count] == [1, 2, 3])
        var bound = two
        bound.bind(MiddlewareBinding(state: { 100 }))
        cycle(two, 1, state: Shared(0), output: sink)
        cycle(bound, 1, state: Shared(0), output: sink)
        #expect(log.all == ["1 handle 1 1 0", "2 handle 1 1 0", "1 handle 1 1 100", "2 handle 1 1 100"])
    }
}
