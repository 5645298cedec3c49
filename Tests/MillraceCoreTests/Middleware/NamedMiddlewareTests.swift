// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

@Suite("NamedMiddleware")
struct NamedMiddlewareTests {
    private let log = Recorder<String>()
    private let sink = SinkSpy<String>()
    private var probe: ProbeSpy { ProbeSpy(log: log) }
    private var spy: Spy<Int, String, Int> { Spy(name: "spy", log: log, output: "x") }

    @Test("without a probe it is what it names")
    func withoutProbe() {
        let named = spy.named("auth")
        #expect(named.name == "auth")
        #expect("\(named)" == "\"auth\"")
        cycle(named, 1, state: Shared(0), output: sink)
        #expect(log.all == ["spy handle 1 1 0", "spy io 0"])
        #expect(sink.log.all.map(\.action) == ["x"])
    }

    @Test("tells the probe when handle begins and ends; its work comes later")
    func withProbe() {
        cycle(spy.named("auth"), 1, state: Shared(0), probe: probe, output: sink)
        #expect(log.all == ["began auth", "spy handle 1 1 0", "ended auth", "spy io 0"])
    }

    @Test("names nest")
    func nested() {
        let inner = spy.named("inner") <> spy.named("inner too")
        cycle(inner.named("outer"), 1, state: Shared(0), probe: probe, output: sink)
        #expect(
            log.all.prefix(8) == [
                "began outer",
                "began inner", "spy handle 1 1 0", "ended inner",
                "began inner too", "spy handle 1 1 0", "ended inner too",
                "ended outer",
            ]
        )
    }

    @Test(
        "the probe reaches names through every container",
        arguments: [
            "any", "any of any", "chain", "composed", "composed of composed", "lifted", "lifted any", "lifted composed",
        ]
    )
    func containers(container: String) {
        typealias Erased = AnyMiddleware<Int, String, Int>
        let named = spy.named("auth")
        let composed: ComposedMiddleware<Int, String, Int> = named <> IdentityMiddleware()
        let nested: ComposedMiddleware<Int, String, Int> = composed <> ComposedMiddleware()
        let erased: Erased =
            switch container {
            case "any": named.eraseToAnyMiddleware()
            case "any of any": named.eraseToAnyMiddleware().eraseToAnyMiddleware()
            case "chain": (named <> IdentityMiddleware()).eraseToAnyMiddleware()
            case "composed": composed.eraseToAnyMiddleware()
            case "composed of composed": nested.eraseToAnyMiddleware()
            case "lifted": named.lift(inputAction: { $0 }).eraseToAnyMiddleware()
            case "lifted any": named.eraseToAnyMiddleware().lift(state: { $0 })
            default: composed.lift(inputAction: { $0 }, state: { $0 }).eraseToAnyMiddleware()
            }
        for middleware in unboundAndBound(erased, state: Shared(0)) {
            log.clear()
            cycle(middleware, 1, state: Shared(0), probe: probe, output: sink)
            #expect(log.all == ["began auth", "spy handle 1 1 0", "ended auth", "spy io 0"])
        }
    }

    @Test("passes on afterReduce and binding")
    func passesOn() {
        #expect(!spy.named("x").hasAfterReduce)
        let late = LateSpy<Int, String, Int>(name: "late", log: log).named("x")
        #expect(late.hasAfterReduce)
        cycle(late, 1, state: Shared(0), output: sink)
        #expect(log.all == ["late handle", "late after 1 1 0"])
        let bound = BoundSpy()
        _ = bound.named("x").bound(to: { 7 })
        #expect(bound.bindings.map { $0() } == [7])
    }
}
