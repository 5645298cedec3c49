// SPDX-License-Identifier: Apache-2.0

import Millrace
import TestSupport
import Testing

/// `state()` is live: the same getter reads the state before the reducers in `handle`, and after them in an IO.
@Suite("A04 live state")
struct A04_LiveStateTests {
    /// Reads in every phase, with the one getter it was given.
    struct Reader: MiddlewareProtocol {
        let log: Recorder<String>

        func handle(action: Int, from dispatcher: ActionSource, state: @escaping GetState<Int>) -> IO<Int> {
            log.record("handle \(state())")
            return IO { _ in log.record("io \(state())") }
        }

        func afterReduce(
            action: Int,
            from dispatcher: ActionSource,
            state: @escaping GetState<Int>,
            output: AnyActionHandler<Int>
        ) {
            log.record("after \(state())")
        }
    }

    @Test(
        "A4: state() is the one before the reducers in handle, the one after them in IO",
        arguments: [StoreEngine.thread(), .caller]
    )
    func a04_liveState(engine: StoreEngine) async {
        let log = Recorder<String>()
        let store = ReduxStoreBase(
            initialState: 1,
            reducer: Reducer<Int, Int>.reduce { action, state in state *= action },
            middleware: Reader(log: log),
            engine: engine
        )
        store.dispatch(contentsOf: [2, 3])
        await store.drain()
        #expect(log.all == ["handle 1", "after 2", "io 2", "handle 2", "after 6", "io 6"])
    }

    @Test("A4: so it is through lifts, compositions and erasure")
    func a04_liveStateThroughWrappers() {
        struct Global: Sendable { var part = 1 }
        let log = Recorder<String>()
        let lifted = Reader(log: log).lift(
            inputAction: { (action: Int) in Optional(action) },
            outputAction: { $0 },
            state: { (global: Global) in global.part }
        )
        let store = ReduxStoreBase(
            initialState: Global(),
            reducer: Reducer<Int, Global>.reduce { action, state in state.part *= action },
            middleware: IdentityMiddleware<Int, Int, Global>() <> lifted.eraseToAnyMiddleware(),
            engine: .caller
        )
        store.dispatch(2)
        store.dispatch(3)
        #expect(log.all == ["handle 1", "after 2", "io 2", "handle 2", "after 6", "io 6"])
    }
}
