// SPDX-License-Identifier: Apache-2.0

// The code of the article "Gating a middleware": one middleware, switched from outside, by action and by state.
//
//     swift run --package-path Examples Gated

import Millrace
import MillraceGated

enum ShopAction: Sendable {
    case order(Int), announced(Int)
    case announce(Bool), close(Bool)

    var announce: Bool? { if case .announce(let isOn) = self { isOn } else { nil } }
}

struct Shop: Sendable {
    var orders = 0
    var announced: [Int] = []
    var isOpen = true
}

struct Announcer: MiddlewareProtocol {
    func handle(
        action: ShopAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<Shop>
    ) -> IO<ShopAction> {
        guard case .order(let number) = action else { return .pure() }
        return IO { output in output.dispatch(.announced(number)) }
    }
}

let reducer = Reducer<ShopAction, Shop>.reduce { action, shop in
    switch action {
    case .order: shop.orders += 1
    case .announced(let number): shop.announced.append(number)
    case .announce: break
    case .close(let isClosed): shop.isOpen = !isClosed
    }
}

/// Takes orders 1, 2 and 3, with something done before the second and the third; prints which were announced.
func take<M: MiddlewareProtocol>(
    _ name: String,
    _ middleware: sending M,
    open: (ReduxStoreBase<ShopAction, Shop>) -> Void,
    close: (ReduxStoreBase<ShopAction, Shop>) -> Void
) where M.InputActionType == ShopAction, M.OutputActionType == ShopAction, M.StateType == Shop {
    let store = ReduxStoreBase(initialState: Shop(), reducer: reducer, middleware: middleware, engine: .caller)
    close(store)
    store.dispatch(.order(1))
    open(store)
    store.dispatch(.order(2))
    close(store)
    store.dispatch(.order(3))
    print(name, "of", store.state.orders, "orders announced:", store.state.announced)
}

let gate = Gate(.bypass)
let fromOutside = Announcer().gated(by: gate)

let following = Task {
    for await state in gate.states { print("announcing is", state) }
}

take("from outside:", fromOutside, open: { _ in gate.open() }, close: { _ in gate.close() })

let byAction = Announcer().gated(controlAction: \.announce, default: .bypass)

take("by action:   ", byAction, open: { $0.dispatch(.announce(true)) }, close: { $0.dispatch(.announce(false)) })

let byState = Announcer().gated(state: \.isOpen)

take("by state:    ", byState, open: { $0.dispatch(.close(false)) }, close: { $0.dispatch(.close(true)) })

let cancelling = Announcer().gated(by: gate, inFlight: .cancel)

take("cancelling:  ", cancelling, open: { _ in gate.open() }, close: { _ in gate.close() })

following.cancel()
await following.value
