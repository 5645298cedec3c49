// SPDX-License-Identifier: Apache-2.0

import MillraceTesting
import OrderBookModel
import Testing

@Suite("matching")
struct MatchingTests {
    /// Checks what a test declares, and the rules of the book after it.
    private func book(_ test: (TestStore<BookAction, Book>) -> Void) {
        let store = TestStore(initialState: Book(), reducer: Book.reducer)
        store.exhaustivity = .off
        test(store)
        #expect(store.state.defects == [])
        store.finish()
    }

    @Test("a better price trades first, and at one price the order that came first")
    func priorities() {
        book { store in
            store.send(.sell(1, 100, at: 1_010))
            store.send(.sell(2, 100, at: 1_000))
            store.send(.sell(3, 100, at: 1_000))
            store.send(.buy(4, 150, at: 1_010))
            #expect(store.state.size(ofOrder: 1) == 100)
            #expect(store.state.size(ofOrder: 2) == nil)
            #expect(store.state.size(ofOrder: 3) == 50)
            #expect(store.state.totals.volume == 150)
            #expect(store.state.lastFill.event == 4)
            #expect(store.state.lastFill.size == 150)
            #expect(store.state.lastFill.price == 1_000)
        }
    }

    @Test("what an order does not trade waits in the book")
    func partialFill() {
        book { store in
            store.send(.sell(1, 100, at: 1_000))
            store.send(.buy(2, 250, at: 1_005))
            #expect(store.state.best(.sell) == nil)
            #expect(store.state.best(.buy) == 1_005)
            #expect(store.state.bestSize(.buy) == 150)
            store.send(.sell(3, 200, at: 990))
            #expect(store.state.best(.buy) == nil)
            #expect(store.state.size(ofOrder: 3) == 50)
            #expect(store.state.best(.sell) == 990)
        }
    }

    @Test("a trade has the price of the order that waited")
    func price() {
        book { store in
            store.send(.buy(1, 100, at: 1_020))
            store.send(.sell(2, 100, at: 1_000))
            #expect(store.state.lastFill.price == 1_020)
        }
    }

    @Test("orders that do not cross wait")
    func noCross() {
        book { store in
            store.send(.buy(1, 100, at: 999))
            store.send(.sell(2, 100, at: 1_000))
            #expect(store.state.totals.trades == 0)
            #expect(store.state.orderCount == 2)
        }
    }

    @Test("a cancel takes an order out of the middle of its line")
    func cancel() {
        book { store in
            for id in 1...3 as ClosedRange<UInt64> { store.send(.buy(id, 100, at: 1_000)) }
            store.send(.cancel(id: 2))
            store.send(.cancel(id: 2))
            #expect(store.state.totals.unknown == 1)
            #expect(store.state.bestSize(.buy) == 200)
            store.send(.sell(4, 150, at: 1_000))
            #expect(store.state.size(ofOrder: 1) == nil)
            #expect(store.state.size(ofOrder: 3) == 50)
        }
    }

    @Test("the best price is known after the orders of better ones have left in any order")
    func bestPrice() {
        book { store in
            for id in 1...5 as ClosedRange<UInt64> { store.send(.sell(id, 10, at: 1_000 + Int32(id))) }
            store.send(.cancel(id: 2))
            store.send(.cancel(id: 3))
            #expect(store.state.best(.sell) == 1_001)
            store.send(.sell(6, 10, at: 1_003))
            store.send(.cancel(id: 1))
            #expect(store.state.best(.sell) == 1_003)
            store.send(.cancel(id: 6))
            #expect(store.state.best(.sell) == 1_004)
        }
    }

    @Test("an order that becomes smaller keeps its place")
    func reduce() {
        book { store in
            store.send(.buy(1, 100, at: 1_000))
            store.send(.buy(2, 100, at: 1_000))
            store.send(.reduce(id: 1, by: 60))
            store.send(.sell(3, 50, at: 1_000))
            #expect(store.state.size(ofOrder: 1) == nil)
            #expect(store.state.size(ofOrder: 2) == 90)
        }
    }

    @Test("orders that make no sense, and all orders of a halted book, are refused")
    func refused() {
        book { store in
            store.send(.buy(1, 0, at: 1_000))
            store.send(.buy(1, 100, at: 0))
            store.send(.buy(1, 100, at: 1_000))
            store.send(.buy(1, 100, at: 1_001))
            #expect(store.state.totals.refused == 3)
            store.send(.halt)
            store.send(.buy(2, 100, at: 1_000))
            store.send(.cancel(id: 1))
            #expect(store.state.totals.refused == 4)
            #expect(store.state.orderCount == 0)
            store.send(.resume)
            store.send(.buy(2, 100, at: 1_000))
            #expect(store.state.orderCount == 1)
        }
    }

    @Test("the desk's position counts its orders that traded, as taker and as maker")
    func position() {
        book { store in
            store.send(.sell(1, 100, at: 1_000))
            store.send(.buy(2, 300, at: 1_000, .desk))
            #expect(store.state.desk.position == 100)
            store.send(.sell(3, 50, at: 1_000))
            #expect(store.state.desk.position == 150)
        }
    }
}
