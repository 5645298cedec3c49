// SPDX-License-Identifier: Apache-2.0

import MillraceSubstates
import Testing

@Suite("observer middlewares")
struct ObserverTests {
    private struct ByStore: MiddlewareType {
        let name: String
        let log: Kept<String>

        func observe(store: SubstateStore) {
            log.keep("\(name) registered")
            let (name, log) = (name, log)
            store.stateLastAction.subscribe { log.keep("\(name) \($0.currentState.count) \(text($0.lastAction))") }
        }
    }

    private struct ByPairs: MiddlewareType {
        let log: Kept<String>

        func observe(currentStateLastAction pairs: StoreStream<StateLastAction>) {
            let log = log
            pairs.subscribe { log.keep("pairs \($0.currentState.count)") }
        }
    }

    private final class Token: MiddlewareType {
        let released: Kept<String>

        init(_ released: Kept<String>) { self.released = released }

        deinit { released.keep("released") }
    }

    @Test("observers are called at once and in order, and see every pair, in both spellings")
    func order() {
        let log = Kept<String>()
        let store = SubstateStore(reducer: routes, engine: .caller)
        store.register(middlewares: [ByStore(name: "a", log: log), ByPairs(log: log)])
        store.register(middlewares: [ByStore(name: "b", log: log)])
        #expect(
            log.all == ["a registered", "a 0 none yet", "pairs 0", "b registered", "b 0 none yet"]
        )
        store.dispatch(.add(states: [Counter()]))
        #expect(log.all.suffix(3).map { $0.prefix(7) } == ["a 1 add", "pairs 1", "b 1 add"])
        #expect(store.middlewares.count == 3)
    }

    @Test("the store keeps its observers as long as it exists")
    func retained() {
        let released = Kept<String>()
        do {
            let store = SubstateStore(reducer: routes, engine: .caller)
            store.register(middlewares: [Token(released)])
            #expect(released.all.isEmpty)
            withExtendedLifetime(store) {}
        }
        #expect(released.all == ["released"])
    }
}
