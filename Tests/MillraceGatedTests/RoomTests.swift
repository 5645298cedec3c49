// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects
import MillraceGated
import TestSupport
import Testing

/// A gate that closes while effects wait for room in a full store.
// One case at a time: endless streams keep all threads of the pool busy, which the other tests need, too.
@Suite("Gates of bounded stores", .serialized, .timeLimit(.minutes(5)))
struct GatedRoomTests {
    @Test("closing a gate under load leaves the store working, for every policy", arguments: OverflowPolicy.allCases)
    func closingUnderLoad(overflow: OverflowPolicy) async {
        let gate = Gate()
        let effects = SymmetricalEffectMiddleware<Step, World, Void>.onAction { step, _, _ in
            guard case .volume = step else { return .doNothing }
            return .stream { _ in
                AsyncStream(unfolding: { .answer(1) })
            }
        }
        let store = ReduxStoreBase(
            initialState: World(),
            reducer: reducer,
            middleware: effects.gated(by: gate, inFlight: .dropOutputs),
            engine: .thread(),
            publication: .onDemand,
            capacity: .bounded(16, overflow: overflow)
        )
        let streams = 32
        for number in 0..<streams { store.dispatch(control: .volume(number)) }
        for round in 1...3 {
            let before = store.metrics.reduced
            #expect(await eventually { store.metrics.reduced > before + 300 }, "open, round \(round)")
            gate.close()
            // Somebody else's action goes in, and all that went in before the gate closed is done.
            let sender = Task { try await store.send(.control(true)) }
            let result = await sender.result
            #expect((try? result.get()) != nil)
            await store.drain()
            #expect(await eventually { store.metrics.pending == 0 })
            let closed = store.metrics.reduced
            for _ in 0..<20 { await Task.yield() }
            // One for each stream that had passed the gate before it closed.
            #expect(store.metrics.reduced <= closed + UInt64(streams))
            #expect(store.offer(.control(false)) == .accepted)
            gate.open()
        }
        effects.cancelAll()
        await store.drain()
        let counters = store.metrics
        #expect(
            counters.offered == counters.reduced + counters.dropped + counters.rejected + counters.cancelled
                + counters.pending
        )
    }
}
