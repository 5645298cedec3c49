// SPDX-License-Identifier: Apache-2.0

// The code of the article "Writing a middleware others can plug in": a middleware for any app, put into a running
// store.
//
//     swift run --package-path Examples Plugins

import Millrace
import MillraceGated

enum ShopAction: Sendable {
    case order(Int)
    case alarm(QuietAction)

    var order: Int? { if case .order(let number) = self { number } else { nil } }
}

struct Shop: Sendable {
    var orders = 0
    var alarms: [Int] = []
}

let reducer = Reducer<ShopAction, Shop>.reduce { action, shop in
    switch action {
    case .order: shop.orders += 1
    case .alarm(.quiet(let count)): shop.alarms.append(count)
    }
}

let store = ReduxStoreBase(initialState: Shop(), reducer: reducer)
store.dispatch(.order(1))

let alarm = QuietAlarm<Int>(patience: .milliseconds(20))
    .lift(
        inputAction: { (action: ShopAction) in action.order },
        outputAction: ShopAction.alarm,
        state: { (_: Shop) in }
    )
try await store.plugins.install(alarm, as: "quiet alarm")

for number in 2...4 { store.dispatch(.order(number)) }

for await shop in store.states where !shop.alarms.isEmpty {
    print("after", shop.orders, "orders it was quiet; the alarm saw", shop.alarms)
    break
}

for plugin in store.plugins.all {
    print(plugin.name, "handled", plugin.handled, "actions, and returned", plugin.ios, "IOs")
}
try await store.plugins.disable("quiet alarm")  // sees no actions for now
try await store.plugins.enable("quiet alarm")

do {
    try await store.plugins.remove("loud alarm")
} catch {
    print(error)
}
try await store.plugins.remove("quiet alarm")

let gate = Gate(.active)
let gated = QuietAlarm<Int>(patience: .milliseconds(20))
    .lift(
        inputAction: { (action: ShopAction) in action.order },
        outputAction: ShopAction.alarm,
        state: { (_: Shop) in }
    )
    .gated(by: gate, inFlight: .cancel)  // a gate that closes ends the watch
try await store.plugins.install(gated, as: "gated alarm")

// It goes off each time that the gate was closed and opened again: a watch that stayed cancelled would be waited for
// for ever.
for round in 1...3 {
    let before = store.state.alarms.count
    store.dispatch(.order(round))
    for await shop in store.states where shop.alarms.count > before { break }
    gate.close()
    store.dispatch(.order(0))  // not seen
    await store.drain()
    gate.open()
}
print("behind a gate:", store.state.alarms.dropFirst())
precondition(store.state.alarms.dropFirst() == [1, 1, 1], "each watch counts anew")
print(await store.shutdown().isComplete)
