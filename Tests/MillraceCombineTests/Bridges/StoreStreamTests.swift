// SPDX-License-Identifier: Apache-2.0

import MillraceCombine
import MillraceSubstates
import Synchronization
import Testing

@Suite("streams of a store of substates")
struct StoreStreamTests {
    private struct Count: SubstateType, Equatable {
        var value = 0
    }

    private struct Add: ActionType {
        var amount: Int
    }

    private final class Kept: Sendable {
        private let values = Mutex<[Int]>([])

        var all: [Int] { values.withLock { $0 } }

        func keep(_ value: Int) { values.withLock { $0.append(value) } }
    }

    @Test("a stream is a publisher that gives each subscriber the latest value first")
    func publisher() {
        let routes = RoutingReducer().routing(Add.self, to: Count.self) { add, count in count.value += add.amount }
        let store = SubstateStore(reducer: routes, engine: .caller)
        let counts = store.states(of: Count.self).publisher
        let (early, late) = (Kept(), Kept())
        let first = counts.map(\.value).sink { early.keep($0) }
        store.dispatch(.add(states: [Count(value: 1)]))
        store.dispatch(Add(amount: 2))
        let second = counts.map(\.value).filter { $0 > 0 }.sink { late.keep($0) }
        store.dispatch(Add(amount: 0))
        store.dispatch(Add(amount: 4))
        second.cancel()
        store.dispatch(Add(amount: 8))
        #expect(early.all == [1, 3, 7, 15])
        #expect(late.all == [3, 7])
        first.cancel()
    }
}
