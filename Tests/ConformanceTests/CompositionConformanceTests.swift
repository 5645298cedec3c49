// SPDX-License-Identifier: Apache-2.0

import Millrace
import TestSupport
import Testing

private typealias Erased = AnyMiddleware<Int, Int, Int>
private typealias Composed = ComposedMiddleware<Int, Int, Int>
private typealias Identity = IdentityMiddleware<Int, Int, Int>

/// Writes down when it is asked and when its work runs; the work dispatches its number.
private func step(_ number: Int, _ log: Recorder<String>) -> Erased {
    AnyMiddleware { action, dispatcher, _ in
        log.record("handle \(number)")
        return IO { output in
            log.record("work \(number)")
            output.dispatch(number, from: dispatcher)
        }
    }
}

@Suite("Conformance: composition")
struct CompositionConformanceTests {
    private let log = Recorder<String>()

    private func run(_ middleware: some MiddlewareProtocol<Int, Int, Int>) -> [String] {
        log.clear()
        middleware.handle(action: 1, from: .here(), state: { 0 }).run { [log] in log.record("output \($0.action)") }
        return log.all
    }

    @Test("A1: the post-pass of composed middlewares is mirrored, although IO <> IO runs left to right")
    func a01_mirroredPostPass() {
        let (m1, m2, m3) = (step(1, log), step(2, log), step(3, log))
        let composed: Composed = m1 <> m2 <> m3
        let expected = [
            "handle 1", "handle 2", "handle 3",
            "work 3", "output 3", "work 2", "output 2", "work 1", "output 1",
        ]
        #expect(run(composed) == expected)
        #expect(run(m1 <> m2 <> m3) == expected)
        #expect(run(m1 <> (m2 <> m3)) == expected)
        log.clear()
        let io = IO<Int> { [log] _ in log.record("left") } <> IO { [log] _ in log.record("right") }
        io.run { _ in }
        #expect(log.all == ["left", "right"])
    }

    @Test("A26: erased identities vanish and erased composites flatten in any composition")
    func a26_flattening() {
        let identity = Identity().eraseToAnyMiddleware().eraseToAnyMiddleware()
        let two: Composed = step(1, log) <> step(2, log)
        let erasedTwo = two.eraseToAnyMiddleware().eraseToAnyMiddleware()
        #expect((identity <> identity as Composed).count == 0)
        #expect((Composed() <> identity <> Identity() <> Composed().eraseToAnyMiddleware()).count == 0)
        #expect((Identity() <> Identity() as Composed).handle(action: 1, from: .here(), state: { 0 }).isPure)
        #expect((identity <> erasedTwo <> identity as Composed).count == 2)
        #expect((erasedTwo <> two as Composed).count == 4)
        let nested = (erasedTwo <> erasedTwo as Composed).eraseToAnyMiddleware()
        let all: Composed = identity <> nested <> step(3, log)
        #expect(all.count == 5)
        let handled = run(all).filter { $0.hasPrefix("handle") }
        #expect(handled == [1, 2, 1, 2, 3].map { "handle \($0)" })
        #expect(two.count == 2, "composing changes no operand")
    }

    @Test("A33: associativity and two-sided identity of Reducer, IO and ComposedMiddleware")
    func a33_laws() {
        let counterexample = firstCounterexample { random in
            let numbers = (0..<3).map { _ in Int.random(in: -9...9, using: &random) }
            let reducers = numbers.map { number in
                Reducer<Int, [Int]>.reduce { action, state in state = state.reversed() + [number &* action] }
            }
            let ios = numbers.map { number in IO<Int> { $0.dispatch(number) } }
            let parts = numbers.map { Composed() <> step($0, log) }
            return difference(reducers, run: reduced)
                ?? difference(ios, run: outputs)
                ?? difference(parts, run: run)
        }
        #expect(counterexample == nil)
    }

    /// nil if three values obey the laws, as seen by what they do.
    private func difference<Value: Monoid, Trace: Equatable>(_ values: [Value], run: (Value) -> Trace) -> String? {
        let (a, b, c) = (values[0], values[1], values[2])
        if run((a <> b) <> c) != run(a <> (b <> c)) { return "\(Value.self) is not associative" }
        if run(.identity <> a) != run(a) { return "\(Value.self) has no identity on the left" }
        if run(a <> .identity) != run(a) { return "\(Value.self) has no identity on the right" }
        if run(a <> b) == run(a) { return "\(Value.self) is not seen by its trace" }
        return nil
    }

    private func reduced(_ reducer: Reducer<Int, [Int]>) -> [Int] {
        var state = [1, 2]
        reducer.reduce(3, &state)
        return state
    }

    private func outputs(_ io: IO<Int>) -> [Int] {
        let actions = Recorder<Int>()
        io.run { actions.record($0.action) }
        return actions.all
    }
}
