// SPDX-License-Identifier: Apache-2.0

// The code of the article "Observing a store", block by block.
import Millrace
import MillraceObservation
import Observation

enum CartAction: Sendable {
    case add(String, price: Int), rename(String)
}

struct Cart: Sendable {
    var owner = "nobody"
    var prices: [Int] = []
}

let reducer = Reducer<CartAction, Cart>.reduce { action, cart in
    switch action {
    case .add(_, let price): cart.prices.append(price)
    case .rename(let owner): cart.owner = owner
    }
}

let store = ReduxStoreBase(initialState: Cart(), reducer: reducer, engine: .main)
let model = store.asObservableStore()

@MainActor
func showOwner() {
    withObservationTracking {
        print("The cart of", model.owner)
    } onChange: {
        Task { @MainActor in showOwner() }
    }
}

showOwner()  // The cart of nobody
model.dispatch(.add("tea", price: 4))  // showOwner is not told
model.dispatch(.rename("Ada"))
await Task.yield()  // The cart of Ada

let count = model.select { $0.prices.count }
let total = model.derived(from: \.prices) { prices in
    prices.reduce(0, +)  // runs when somebody reads, and then not until the prices change
}
print(count.value, total.value)  // 1 4
