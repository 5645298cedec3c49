// SPDX-License-Identifier: Apache-2.0

import Millrace
import TestSupport
import Testing

/// What SwiftRex 0.8 had for after the reducers, and what is written instead.
@Suite("Conformance: in front and afterwards", .timeLimit(.minutes(5)))
struct LegacyConformanceTests {
    private let log = Recorder<String>()
    private let sum = Reducer<Int, Int>.reduce { action, state in state += action }

    /// The record that a logger makes of an action.
    private func recorder(_ name: String) -> AnyMiddleware<Int, Int, Int> {
        AnyMiddleware { [log] action, _, state in
            let before = state()
            return IO { _ in log.record("\(name) \(action): \(before) -> \(state())") }
        }
    }

    @Test("A28: a logger in front records after the works behind it, and before what these dispatched (unlike 0.8)")
    func a28_loggerInFront() {
        let inner = AnyMiddleware<Int, Int, Int> { [log] action, _, _ in
            guard action < 3 else { return .pure() }
            return IO { output in
                log.record("work \(action)")
                output.dispatch(action + 1)
            }
        }
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: sum,
            middleware: recorder("log") <> inner,
            engine: .caller
        )
        store.dispatch(1)
        #expect(log.all == ["work 1", "log 1: 0 -> 1", "work 2", "log 2: 1 -> 3", "log 3: 3 -> 6"])
    }

    /// Does something after the reducers, without an IO.
    private struct After: MiddlewareProtocol, Sendable {
        let name: String
        let log: Recorder<String>

        func handle(action: Int, from dispatcher: ActionSource, state: @escaping GetState<Int>) -> IO<Int> {
            .pure()
        }

        func afterReduce(
            action: Int,
            from dispatcher: ActionSource,
            state: @escaping GetState<Int>,
            output: AnyActionHandler<Int>
        ) {
            log.record("\(name) sees \(state())")
        }
    }

    @Test("A35: what stands for AfterReducer, an IO or afterReduce, runs last to first")
    func a35_lastToFirst() {
        let works = ReduxStoreBase(
            initialState: 0,
            reducer: sum,
            middleware: recorder("1") <> recorder("2") <> recorder("3"),
            engine: .caller
        )
        works.dispatch(1)
        #expect(log.all == ["3 1: 0 -> 1", "2 1: 0 -> 1", "1 1: 0 -> 1"])
        log.clear()
        let all = ["1", "2", "3"].map { After(name: $0, log: log).eraseToAnyMiddleware() }
        let after = ReduxStoreBase(
            initialState: 0,
            reducer: sum,
            middleware: all.reduce(ComposedMiddleware<Int, Int, Int>.identity) { $0 <> $1 },
            engine: .caller
        )
        after.dispatch(1)
        #expect(log.all == ["3 sees 1", "2 sees 1", "1 sees 1"])
    }

    @Test("A35: what stands for asAfterReducer: reversed, as an IO runs from left to right")
    func a35_asAfterReducer() {
        let works = (1...3).map { number in IO<Int> { [log] _ in log.record("\(number)") } }
        works.reversed().reduce(.identity, <>).run { _ in }
        #expect(log.all == ["3", "2", "1"])
    }
}
