// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceCombine

class Store: ReduxStoreBase<AppAction, AppState> {
    init(world: World) {
        super.init(
            subject: .combine(initialValue: .initial),
            reducer: .app,
            middleware: appMiddleware.inject(world)
        )
    }
}

/// What a screen shows and says.
struct CartView {
    enum Event {
        case tapped(Item)
        case paid(total: Int)
        case scrolled
    }

    struct Model: Equatable {
        var title: String
        static let empty = Model(title: "")
    }

    static func action(of event: Event) -> AppAction? {
        switch event {
        case let .tapped(item): return .cart(.add(item))
        case let .paid(total): return .payment(.pay(total: total))
        case .scrolled: return nil
        }
    }

    static func model(of state: AppState) -> Model {
        let receipts = state.payment.receipts.flatMap(\.lines).joined(separator: ", ")
        return Model(title: "\(state.cart.items.count) items for \(state.cart.total); \(receipts)")
    }
}

extension Store {
    func cartViewModel() -> ObservableViewModel<CartView.Event, CartView.Model> {
        projection(action: CartView.action(of:), state: CartView.model(of:))
            .asObservableViewModel(initialState: .empty)
    }
}
