// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

@Suite("AnyMiddleware")
struct AnyMiddlewareTests {
    private typealias Erased = AnyMiddleware<Int, String, Int>
    private typealias Identity = IdentityMiddleware<Int, String, Int>
    private typealias Composed = ComposedMiddleware<Int, String, Int>
    private let log = Recorder<String>()
    private let sink = SinkSpy<String>()
    private var spy: Spy<Int, String, Int> { Spy(name: "spy", log: log, output: "x") }

    @Test("behaves as what it hides, however often it is erased, bound or not")
    func behaves() {
        for erased in [spy.eraseToAnyMiddleware(), Erased(spy), Erased(Erased(spy)).eraseToAnyMiddleware()] {
            for middleware in unboundAndBound(erased, state: Shared(3)) {
                log.clear()
                sink.log.clear()
                cycle(middleware, 1, state: Shared(3), output: sink)
                #expect(log.all == ["spy handle 1 1 3", "spy io 3"])
                #expect(sink.log.all.map(\.action) == ["x"])
                #expect(sink.log.all.map(\.source) == [.a])
                #expect(sink.log.all.map(\.cause) == [ActionCause(parent: 5, root: 3)])
            }
        }
    }

    @Test("may be made of a closure")
    func closure() {
        let log = log
        let erased = Erased { action, dispatcher, state in
            log.record("handle \(action) \(dispatcher.line) \(state())")
            return IO { $0.dispatch("x", from: dispatcher) }
        }
        for middleware in unboundAndBound(erased, state: Shared(3)) {
            log.clear()
            cycle(middleware, 1, from: .b, state: Shared(3), output: sink)
            #expect(log.all == ["handle 1 2 3"])
        }
        #expect(sink.log.all.map(\.action) == ["x", "x"])
        #expect(!erased.hasAfterReduce)
    }

    @Test("erasing what is erased wraps nothing: the parts stay the parts")
    func eraseTwice() {
        var erased = spy.eraseToAnyMiddleware()
        for _ in 0..<50 { erased = Erased(erased).eraseToAnyMiddleware() }
        let composed: Composed = erased <> Identity()
        #expect(composed.count == 1)
        let two: Composed = spy <> spy
        var any = two.eraseToAnyMiddleware()
        for _ in 0..<50 { any = Erased(any) }
        #expect((Composed() <> any).count == 2)
    }

    @Test("remembers that it is an identity or a composite, before and after binding")
    func remembers() {
        func count(_ erased: Erased) -> Int { (Composed() <> erased).count }
        let two: Composed = spy <> spy
        let cases: [(Erased, Int)] = [
            (Identity().eraseToAnyMiddleware(), 0),
            (Composed().eraseToAnyMiddleware(), 0),
            (spy.eraseToAnyMiddleware(), 1),
            ((spy <> Identity()).eraseToAnyMiddleware(), 1),
            (two.eraseToAnyMiddleware(), 2),
            ((spy <> spy <> spy).eraseToAnyMiddleware(), 3),
        ]
        for (erased, parts) in cases {
            #expect(count(erased) == parts)
            #expect(count(erased.bound(to: { 0 })) == parts)
        }
    }

    @Test("afterReduce reaches what it hides, and is known to be there or not")
    func afterReduce() {
        #expect(!spy.eraseToAnyMiddleware().hasAfterReduce)
        #expect(!Identity().eraseToAnyMiddleware().hasAfterReduce)
        let late = LateSpy<Int, String, Int>(name: "late", log: log, output: "y").eraseToAnyMiddleware()
        for middleware in unboundAndBound(late, state: Shared(3)) {
            log.clear()
            #expect(middleware.hasAfterReduce)
            cycle(middleware, 1, state: Shared(3), output: sink)
            #expect(log.all == ["late handle", "late after 1 1 3"])
        }
        #expect(sink.log.all.map(\.action) == ["y", "y"])
    }

    @Test("binding one copy leaves the others as they are")
    func bindingIsAValue() {
        let original = spy.eraseToAnyMiddleware()
        let bound = original.bound(to: { 100 })
        let again = bound.bound(to: { 200 })
        for middleware in [original, bound, again] { cycle(middleware, 1, state: Shared(3), output: sink) }
        #expect(log.all.filter { $0.contains("handle") }.map { $0.suffix(3) } == ["1 3", "100", "200"])
    }

    @Test("binding binds what it hides, once")
    func bind() {
        let spy = BoundSpy()
        _ = spy.eraseToAnyMiddleware().bound(to: { 7 })
        _ = (spy <> spy).eraseToAnyMiddleware().bound(to: { 8 })
        #expect(spy.bindings.map { $0() } == [7, 8, 8])
    }

    @Test("lets go of what it hides")
    func releases() {
        weak var hidden: BoundSpy?
        do {
            let spy = BoundSpy()
            hidden = spy
            let erased = (spy <> spy).eraseToAnyMiddleware().bound(to: { 7 })
            _ = erased.handle(action: 1, from: .a, state: { 7 })
        }
        #expect(hidden == nil)
    }

    @Test("composed and erased one by one: called as one composite, each under its name")
    func oneByOne() {
        func part(_ number: Int) -> Erased {
            let name = MiddlewareName(interning: "\(number)")
            let late = LateSpy<Int, String, Int>(name: "\(number)", log: log, output: "late \(number)")
            let early = Spy<Int, String, Int>(name: "\(number)", log: log, output: "\(number)")
            return number % 2 == 0 ? Erased(early.named(name)) : Erased(late.named(name))
        }
        let numbers = Array(0..<7)
        let left = numbers.dropFirst().reduce(part(0)) { Erased($0 <> part($1)) }
        let right = numbers.dropLast().reversed().reduce(part(6)) { Erased(part($1) <> $0) }
        let halves = Erased(Erased(part(0) <> part(1) <> part(2)) <> Erased(part(3) <> (part(4) <> part(5))))
        let either: EitherMiddleware<Chain<Erased, Erased>, Identity> = .first(halves <> part(6))
        let composed: Composed = left <> Identity()
        let calls =
            numbers.map { $0 % 2 == 0 ? "\($0) handle 1 1 0" : "\($0) handle" }
            + numbers.reversed().filter { $0 % 2 == 1 }.map { "\($0) after 1 1 0" }
            + numbers.reversed().filter { $0 % 2 == 0 }.map { "\($0) io 0" }
        for middleware in [left, right, Erased(either), Erased(composed <> Identity())] {
            for middleware in unboundAndBound(middleware, state: Shared(0)) {
                log.clear()
                sink.log.clear()
                cycle(middleware, 1, state: Shared(0), output: sink)
                #expect(log.all == calls)
                #expect(sink.log.all.map(\.action) == ["late 5", "late 3", "late 1", "6", "4", "2", "0"])
            }
            let names = BoundNames()
            _ = middleware.bound(binding(collecting: names))
            #expect(names.all.map(\.name.description) == numbers.map { "\($0)" })
            let probed = Recorder<String>()
            cycle(middleware.bound(to: { 0 }), 1, state: Shared(0), probe: ProbeSpy(log: probed), output: sink)
            #expect(probed.all == numbers.flatMap { ["began \($0)", "ended \($0)"] })
        }
    }
}
