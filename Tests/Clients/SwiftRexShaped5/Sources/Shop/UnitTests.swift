// SPDX-License-Identifier: Apache-2.0

import MillraceCombine

/// The calls of an app's unit tests: they capture variables and `self`, and pass functions by their names.
final class UnitTests {
    private final class StoreDouble {
        var state = PaymentState()
        func getState() -> PaymentState { state }
    }

    private let bank = Bank()
    private var state = PaymentState()
    private var dispatched = 0

    func run() -> Int {
        let sut = PaymentMiddleware(bank: bank)
        let store = StoreDouble()
        let source = ActionSource(file: "Shop/UnitTests.swift", function: "run()", line: 1, info: nil)
        var reads = 0
        sut.handle(action: .pay(total: 1), from: source, state: store.getState).run { _ in self.dispatched += 1 }
        sut.handle(action: .pay(total: 2), from: .here(), state: store.getState).run { _ in self.dispatched += 1 }
        sut.handle(
            action: .pay(total: 3),
            from: .here(),
            state: {
                reads += 1
                return self.state
            }
        )
        .run { _ in self.dispatched += 1 }
        let reader = MiddlewareReader<World, PaymentMiddleware> { world in
            reads += 1
            self.dispatched += 1
            return PaymentMiddleware(bank: world.bank)
        }
        let world = World(
            bank: bank,
            rates: { Just(reads).setFailureType(to: Error.self).eraseToAnyPublisher() },
            log: { _ in }
        )
        let both = (reader <> .pure(sut) <> .init { PaymentMiddleware(bank: $0.bank) }).inject(world)
        both.handle(action: .pay(total: 4), from: .here(), state: { self.state }).run { _ in self.dispatched += 1 }
        let effects = rateMiddleware.inject(world).eraseToAnyMiddleware()
        let lifted = effects.lift(
            inputAction: { (name: String) in
                reads += 1
                return .add(Item(name: name, price: self.dispatched))
            },
            outputAction: { _ in self.dispatched },
            state: { (carts: [CartState]) in carts[0] }
        )
        var prices: [Int] = []
        lifted.handle(action: "tea", from: .here(), state: { [CartState()] }).run { prices.append($0.action) }
        return dispatched + reads + prices.count
    }
}
