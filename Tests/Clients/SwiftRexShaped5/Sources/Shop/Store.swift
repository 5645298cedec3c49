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
    func cartViewModel() -> LoudViewModel {
        LoudViewModel(
            initialState: .empty,
            store: projection(action: CartView.action(of:), state: CartView.model(of:)),
            emitsValue: .whenDifferent
        )
    }
}

/// A view model of the app's own.
class LoudViewModel: ObservableViewModel<CartView.Event, CartView.Model> {
    private(set) var events = 0

    override func dispatch(_ dispatchedAction: DispatchedAction<CartView.Event>) {
        events += 1
        super.dispatch(dispatchedAction)
    }
}

/// A screen that keeps what it dispatches.
struct ItemScreen {
    let item: Item
    let viewModel: ObservableViewModel<CartView.Event, CartView.Model>

    func tap() {
        viewModel.dispatch(.tapped(item))
        viewModel.dispatch(.scrolled, from: .here(info: item.name))
    }

    func press(file: String = #file, function: String = #function, line: UInt = #line) {
        viewModel.dispatch(.tapped(item), file: file, function: function, line: line)
    }
}

/// A handler of the app's own.
final class Turnstile: ActionHandler {
    typealias ActionType = CartAction
    private(set) var sources: [String] = []

    func dispatch(_ dispatchedAction: DispatchedAction<CartAction>) {
        sources.append(dispatchedAction.dispatcher.function)
    }
}
