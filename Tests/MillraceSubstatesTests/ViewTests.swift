// SPDX-License-Identifier: Apache-2.0

import MillraceObservation
import MillraceSubstates
import Testing

@MainActor
@Suite("the view model")
struct ViewTests {
    @Test("the observable store of MillraceObservation shows the substates, on the main actor")
    func observableStore() {
        let store = SubstateStore(reducer: routes, engine: .main, onError: { _ in })
        let model = store.base.asObservableStore()
        let count = model.select { $0.currentState[Counter.self]?.value ?? -1 }
        store.dispatch(.add(states: [Counter(value: 4)]))
        #expect(count.value == 4)
        model.dispatch(CounterAction(change: 1))
        #expect(count.value == 5)
        #expect(model.currentState == [Counter(value: 5)])
    }
}
