// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceCombine

/// A class with variables and a service.
final class PaymentMiddleware: MiddlewareProtocol {
    typealias InputActionType = PaymentAction
    typealias OutputActionType = PaymentAction
    typealias StateType = PaymentState

    private let bank: Bank
    private var attempts = 0

    init(bank: Bank) {
        self.bank = bank
    }

    func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>
    ) -> IO<OutputActionType> {
        guard case let .pay(total) = action, !state().isWaiting else { return .pure() }
        attempts += 1
        return IO { [weak self] output in
            guard let self = self else { return }
            self.bank.charge(total) { result in
                switch result {
                case let .success(receipt):
                    receipt.lines.append("attempt \(self.attempts)")
                    output.dispatch(.paid(receipt))
                case let .failure(error):
                    output.dispatch(.refused(error), from: dispatcher)
                }
            }
        }
    }
}

/// A structure, generic, that dispatches nothing.
struct LogMiddleware<Action, State>: MiddlewareProtocol {
    let write: (String) -> Void

    func handle(action: Action, from dispatcher: ActionSource, state: @escaping GetState<State>) -> IO<Never> {
        let before = state()
        return IO { _ in
            self.write("\(dispatcher.function): \(action): \(before) -> \(state())")
        }
    }
}

/// Effects with dependencies.
let rateMiddleware = EffectMiddleware<CartAction, CartAction, CartState, World>.onAction { action, dispatcher, state in
    switch action {
    case let .add(item):
        return Effect(token: item.name) { context -> AnyPublisher<DispatchedAction<CartAction>, Never> in
            context.dependencies.rates()
                .map { rate in CartAction.reprice(name: item.name, price: item.price * rate) }
                .catch { _ in Empty() }
                .map { DispatchedAction($0, dispatcher: dispatcher) }
                .eraseToAnyPublisher()
        }
    case .clear:
        return .fireAndForget { context in context.dependencies.log("cleared, \(state().items.count) items left") }
    case .reprice:
        return .doNothing
    }
}

let appMiddleware = MiddlewareReader<World, ComposedMiddleware<AppAction, AppAction, AppState>> { world in
    LogMiddleware<AppAction, AppState>(write: { _ in world.log("action") })
        .lift(inputAction: identity, outputAction: absurd, state: identity)
        <> PaymentMiddleware(bank: world.bank)
        .lift(inputAction: \AppAction.payment, outputAction: AppAction.payment, state: \AppState.payment)
        <> rateMiddleware.inject(world)
        .lift(
            inputAction: { (action: AppAction) in action.cart },
            outputAction: AppAction.cart,
            state: { (state: AppState) in state.cart }
        )
}
