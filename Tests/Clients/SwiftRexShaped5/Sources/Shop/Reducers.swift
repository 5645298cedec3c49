// SPDX-License-Identifier: Apache-2.0

import Millrace

extension Reducer where ActionType == CartAction, StateType == CartState {
    static var cart: Reducer {
        Reducer.reduce { action, state in
            switch action {
            case let .add(item):
                state.items.append(item)
            case let .reprice(name, price):
                state.items.first { $0.name == name }?.price = price
            case .clear:
                state.items = []
            }
        }
    }
}

extension Reducer where ActionType == PaymentAction, StateType == PaymentState {
    static var payment: Reducer {
        Reducer.reduce { action, state in
            switch action {
            case .pay:
                state.isWaiting = true
            case let .paid(receipt):
                state.isWaiting = false
                state.receipts.append(receipt)
            case let .refused(error):
                state.isWaiting = false
                state.error = error
            case .forget:
                state = PaymentState()
            }
        }
    }
}

extension Reducer where ActionType == AppAction, StateType == AppState {
    static var app: Reducer {
        Reducer<CartAction, CartState>.cart.lift(action: \AppAction.cart, state: \AppState.cart)
            <> Reducer<PaymentAction, PaymentState>.payment.lift(
                actionGetter: { (action: AppAction) in action.payment },
                stateGetter: { (state: AppState) in state.payment },
                stateSetter: { state, payment in state.payment = payment }
            )
    }
}
