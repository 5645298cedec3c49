// SPDX-License-Identifier: Apache-2.0

// As an app of years ago has it: classes in the actions and in the state, nothing Sendable.

class Item {
    let name: String
    var price: Int

    init(name: String, price: Int) {
        self.name = name
        self.price = price
    }
}

class Receipt {
    var lines: [String]

    init(lines: [String]) {
        self.lines = lines
    }
}

enum AppAction {
    case cart(CartAction)
    case payment(PaymentAction)

    var cart: CartAction? {
        get {
            guard case let .cart(value) = self else { return nil }
            return value
        }
        set {
            guard case .cart = self, let newValue = newValue else { return }
            self = .cart(newValue)
        }
    }

    var payment: PaymentAction? {
        get {
            guard case let .payment(value) = self else { return nil }
            return value
        }
        set {
            guard case .payment = self, let newValue = newValue else { return }
            self = .payment(newValue)
        }
    }
}

enum CartAction {
    case add(Item)
    case reprice(name: String, price: Int)
    case clear
}

enum PaymentAction {
    case pay(total: Int)
    case paid(Receipt)
    case refused(Error)
    case forget
}

struct AppState {
    var cart = CartState()
    var payment = PaymentState()

    static var initial: AppState { AppState() }
}

struct CartState {
    var items: [Item] = []
    var total: Int { items.reduce(0) { $0 + $1.price } }
}

struct PaymentState {
    var isWaiting = false
    var receipts: [Receipt] = []
    var error: Error?
}
