// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceGated
import TestSupport
import Testing

@Suite("Gates in front of a receiveContext")
struct GatedContextTests {
    private static let adding = Reducer<Int, Int>.reduce { action, sum in sum += action }

    @Test("while the gate is closed its output dispatches nothing, unless outputs may finish")
    func output() {
        for inFlight in [InFlightPolicy.dropOutputs, .letFinish] {
            let output = Shared<AnyActionHandler<Int>?>(nil)
            let gate = Gate()
            let store = ReduxStoreBase(
                initialState: 0,
                reducer: Self.adding,
                middleware: AnyMiddleware<Int, Int, Int>(
                    receiveContext: { _, handler in output.value = handler },
                    handle: { _, _, _ in .pure() }
                ).gated(by: gate, inFlight: inFlight),
                engine: .caller,
                publication: .everyAction
            )
            output.value?.dispatch(1)
            gate.set(.bypass)
            output.value?.dispatch(10)
            gate.set(.active)
            output.value?.dispatch(100)
            #expect(store.state == (inFlight == .letFinish ? 111 : 101))
        }
    }

    @Test("the state decides at each of its actions")
    func state() {
        let output = Shared<AnyActionHandler<Int>?>(nil)
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Self.adding,
            middleware: AnyMiddleware<Int, Int, Int>(
                receiveContext: { _, handler in output.value = handler },
                handle: { _, _, _ in .pure() }
            ).gated(state: { $0 < 5 }),
            engine: .caller,
            publication: .everyAction
        )
        for _ in 0..<3 { output.value?.dispatch(3) }
        #expect(store.state == 6)
    }
}
