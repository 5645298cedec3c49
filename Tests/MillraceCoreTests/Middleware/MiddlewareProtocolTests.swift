// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

/// SwiftRex's shape: a class that is not final and not Sendable, with nothing but `handle`.
private class Counting: MiddlewareProtocol {
    typealias InputActionType = Int
    typealias OutputActionType = String
    typealias StateType = Int

    var count = 0

    func handle(action: Int, from dispatcher: ActionSource, state: @escaping GetState<Int>) -> IO<String> {
        count += action
        return .pure()
    }
}

private final class Doubling: Counting {
    override func handle(action: Int, from dispatcher: ActionSource, state: @escaping GetState<Int>) -> IO<String> {
        _ = super.handle(action: action, from: dispatcher, state: state)
        return super.handle(action: action, from: dispatcher, state: state)
    }
}

/// A structure with nothing but `handle`, its types found by the compiler.
private struct Inferred: MiddlewareProtocol {
    func handle(action: Int, from dispatcher: ActionSource, state: @escaping () -> Int) -> IO<String> { .pure() }
}

@Suite("MiddlewareProtocol: the defaults")
struct MiddlewareProtocolTests {
    private func drive(_ middleware: some MiddlewareProtocol<Int, String, Int>) -> Bool {
        let io = middleware.handle(action: 1, from: .a, state: { 0 })
        middleware.afterReduce(action: 1, from: .a, state: { 0 }, output: AnyActionHandler { _ in })
        return io.isPure
    }

    @Test("nothing but handle has to be written; afterReduce does nothing, and is known to")
    func onlyHandle() {
        #expect(drive(Inferred()))
        #expect(!Inferred().hasAfterReduce)
        let counting = Counting()
        #expect(drive(counting))
        #expect(!counting.hasAfterReduce)
        #expect(counting.count == 1)
    }

    @Test("a subclass is asked as what it is")
    func subclass() {
        let doubling: Counting = Doubling()
        #expect(drive(doubling))
        #expect(doubling.count == 2)
    }

    @Test("a middleware that writes afterReduce is known to have one")
    func hasAfterReduce() {
        let log = Recorder<String>()
        let middleware = LateSpy<Int, String, Int>(name: "late", log: log)
        #expect(middleware.hasAfterReduce)
        #expect(drive(middleware))
        #expect(log.all == ["late handle", "late after 1 1 0"])
    }

    @Test("binding changes nothing; of a class it gives the same object")
    func bind() {
        let counting = Counting()
        #expect(counting.bound(to: { 1 }) === counting)
        let middleware = Inferred().bound(to: { 1 })
        #expect(drive(middleware))
    }

    @Test("a class can take note when it is bound")
    func bindClass() {
        let spy = BoundSpy()
        #expect(spy.bound(to: { 7 }) === spy)
        #expect(spy.bindings.map { $0() } == [7])
    }

    @Test("with a probe, handle is called just the same")
    func probe() {
        let log = Recorder<String>()
        let counting = Counting()
        let io = counting.handle(action: 3, from: .a, state: { 0 }, probe: ProbeSpy(log: log))
        #expect(io.isPure)
        #expect(counting.count == 3)
        #expect(log.count == 0)
    }

    @Test("handle by hand, with a state function that need not be Sendable, passes its arguments on")
    func byHand() {
        let log = Recorder<String>()
        let spy = Spy<Int, String, Int>(name: "spy", log: log, output: "answer")
        let io = spy.handle(action: 3, from: .b, state: { 7 }, byHand: ())
        #expect(log.all == ["spy handle 3 2 7"])
        #expect(!io.isPure)
    }

    @Test("usable as `any MiddlewareProtocol<…>`")
    func existential() {
        let middlewares: [any MiddlewareProtocol<Int, String, Int>] = [Inferred(), Counting()]
        for middleware in middlewares {
            let isPure = drive(middleware)
            #expect(isPure)
        }
    }
}
