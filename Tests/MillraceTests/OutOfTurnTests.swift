// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

@testable import Millrace

@Suite("Messages out of turn", .timeLimit(.minutes(5)))
struct OutOfTurnTests {
    /// Looks at both sides of an action.
    struct Ear: MiddlewareProtocol {
        let log: Recorder<String>

        func handle(action: Int, from dispatcher: ActionSource, state: @escaping GetState<Int>) -> IO<Int> {
            log.record("ear \(action)")
            return .pure()
        }

        func afterReduce(
            action: Int,
            from dispatcher: ActionSource,
            state: @escaping GetState<Int>,
            output: AnyActionHandler<Int>
        ) {
            log.record("ear after \(action)")
        }
    }

    @Test(
        "what a handler sends while there is no memory for a message is done after the batch, never inside an action",
        arguments: engines
    )
    func afterTheBatch(engine: StoreEngine) async throws {
        let log = Recorder<String>()
        let core = Shared<StoreCore<Int, Int>?>(nil)
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            middleware: Handle<Int, Int> { action, _, _ in
                guard action == 1, let core = core.value else { return .pure() }
                for name: MiddlewareName in ["ear", "unknown"] {
                    core.consumer.deliverOutOfTurn(
                        PipelineMessage {
                            if case .success = core.plugins.remove(name) { log.record("removed") }
                            // One that is sent by another is not lost either.
                            core.consumer.deliverOutOfTurn(PipelineMessage { log.record("after \(name)") })
                        }
                    )
                }
                return .pure()
            },
            engine: engine,
            publication: .onDemand
        )
        core.value = store.core
        try await store.plugins.install(Ear(log: log), as: "ear")
        store.dispatch(1)
        await store.drain()
        store.dispatch(2)
        await store.drain()
        #expect(log.all == ["ear 1", "ear after 1", "removed", "after ear", "after unknown"])
        #expect(store.plugins.all == [])
        #expect(store.state == 2)
        core.value = nil
    }
}
