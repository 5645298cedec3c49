// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

@Suite("Chain")
struct ChainTests {
    private typealias IntSpy = Spy<Int, String, Int>
    private let log = Recorder<String>()
    private let sink = SinkSpy<String>()
    private let add = Reducer<Int, Int>.reduce { action, state in state += action }

    private func spy(_ name: String, output: String? = nil) -> IntSpy { IntSpy(name: name, log: log, output: output) }
    private func late(_ name: String, output: String? = nil) -> LateSpy<Int, String, Int> {
        LateSpy(name: name, log: log, output: output)
    }

    @Test("handle first to last, before the reducers; work last to first, after them")
    func mirrored() {
        let chain = spy("1", output: "a") <> spy("2", output: "b") <> spy("3", output: "c")
        for chain in unboundAndBound(chain, state: Shared(0)) {
            log.clear()
            sink.log.clear()
            cycle(chain, 10, state: Shared(0), reducer: add, output: sink)
            #expect(
                log.all == [
                    "1 handle 10 1 0", "2 handle 10 1 0", "3 handle 10 1 0",
                    "3 io 10", "2 io 10", "1 io 10",
                ]
            )
            #expect(sink.log.all.map(\.action) == ["c", "b", "a"])
            #expect(sink.log.all.allSatisfy { $0.source == .a && $0.cause == ActionCause(parent: 5, root: 3) })
        }
    }

    @Test("however it is grouped")
    func grouping() {
        cycle(spy("1", output: "") <> (spy("2", output: "") <> spy("3", output: "")), 1, state: Shared(0), output: sink)
        #expect(
            log.all == ["1 handle 1 1 0", "2 handle 1 1 0", "3 handle 1 1 0", "3 io 0", "2 io 0", "1 io 0"]
        )
    }

    @Test("afterReduce last to first, after the reducers and before any work")
    func afterReduce() {
        let chain = late("1", output: "a") <> spy("2", output: "b") <> late("3", output: "c")
        #expect(chain.hasAfterReduce)
        cycle(chain, 10, state: Shared(0), reducer: add, output: sink)
        #expect(
            log.all == [
                "1 handle", "2 handle 10 1 0", "3 handle",
                "3 after 10 1 10", "1 after 10 1 10",
                "2 io 10",
            ]
        )
        #expect(sink.log.all.map(\.action) == ["c", "a", "b"])
    }

    @Test("has an afterReduce if one of the two has")
    func hasAfterReduce() {
        #expect(!(spy("1") <> spy("2")).hasAfterReduce)
        #expect((late("1") <> spy("2")).hasAfterReduce)
        #expect((spy("1") <> late("2")).hasAfterReduce)
        #expect(!(spy("1") <> spy("2") <> IdentityMiddleware()).hasAfterReduce)
    }

    @Test("pure when both are; the work of one when the other is")
    func pure() {
        let source = ActionSource.a
        #expect((spy("1") <> spy("2")).handle(action: 1, from: source, state: { 0 }).isPure)
        #expect(!(spy("1") <> spy("2", output: "x")).handle(action: 1, from: source, state: { 0 }).isPure)
        #expect(!(spy("1", output: "x") <> spy("2")).handle(action: 1, from: source, state: { 0 }).isPure)
    }

    @Test("binds both to the getter it is given")
    func bind() {
        let (first, second) = (BoundSpy(), BoundSpy())
        _ = (first <> second).bound(to: { 7 })
        #expect(first.bindings.map { $0() } == [7])
        #expect(second.bindings.map { $0() } == [7])
    }

    @Test("passes the probe to both")
    func probe() {
        let chain = spy("1").named("one") <> spy("2") <> spy("3").named("three")
        cycle(chain, 1, state: Shared(0), probe: ProbeSpy(log: log), output: sink)
        #expect(
            log.all == [
                "began one", "1 handle 1 1 0", "ended one",
                "2 handle 1 1 0",
                "began three", "3 handle 1 1 0", "ended three",
            ]
        )
    }
}
