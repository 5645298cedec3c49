// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import MillraceCombine

// More ways in which apps write the same; they only have to build.

/// The types of closures are found by the annotation.
enum Shapes {
    static func inferred(_ world: World) -> ComposedMiddleware<AppAction, AppAction, AppState> {
        PaymentMiddleware(bank: world.bank)
            .lift(inputAction: { $0.payment }, outputAction: { .payment($0) }, state: { $0.payment })
            <> rateMiddleware.inject(world)
            .lift(inputAction: \.cart, outputAction: AppAction.cart, state: \.cart)
            <> IdentityMiddleware()
    }

    static func erased(_ world: World) -> AnyMiddleware<AppAction, AppAction, AppState> {
        let parts = [inferred(world).eraseToAnyMiddleware(), appMiddleware.inject(world).eraseToAnyMiddleware()]
        return parts.reduce(ComposedMiddleware.identity) { $0 <> $1 }.eraseToAnyMiddleware()
    }

    static var readers: MiddlewareReader<World, ComposedMiddleware<AppAction, AppAction, AppState>> {
        MiddlewareReader<World, AnyMiddleware<PaymentAction, PaymentAction, PaymentState>> { world in
            PaymentMiddleware(bank: world.bank).eraseToAnyMiddleware()
        }
        .lift(inputAction: { $0.payment }, outputAction: { .payment($0) }, state: { $0.payment })
            <> EffectMiddleware.doubling.lift(
                inputAction: { $0.cart },
                outputAction: { .cart($0) },
                state: { $0.cart },
                dependencies: { (world: World) in world }
            )
            <> .identity
    }

    static let forget = Reducer.reduce { (action: PaymentAction, state: inout PaymentState) in
        if case .forget = action { state = PaymentState() }
    }

    static func clear(_ action: CartAction, _ state: inout CartState) {
        if case .clear = action { state.items = [] }
    }

    static var reducer: Reducer<AppAction, AppState> {
        forget.lift(action: \.payment, state: \.payment)
            <> Reducer.reduce(clear).lift(action: \.cart, state: \.cart)
    }

    static func pipeline(_ world: World) -> ReduxPipelineWrapper<AnyMiddleware<AppAction, AppAction, AppState>> {
        let subject = UnfailableReplayLastSubjectType<AppState>.combine(initialValue: .initial, willChange: { _ in })
        return ReduxPipelineWrapper(
            state: { subject },
            reducer: reducer,
            middleware: erased(world),
            emitsValue: .when { old, new in old.cart.total != new.cart.total }
        )
    }

    /// A predicate that is handed on, one that looks at what is not Sendable, and somebody who asks what it is.
    static func policy(_ isNews: @escaping (AppState, AppState) -> Bool, _ bank: Bank) -> ShouldEmitValue<AppState> {
        let handedOn = ShouldEmitValue<AppState>.when(isNews)
        switch handedOn {
        case .always, .never:
            return handedOn
        case let .when(predicate):
            return .when { old, new in bank.calls > 0 || predicate(old, new) }
        }
    }

    /// Wrappers that pass on where they were called.
    static func say(
        _ action: CartAction,
        file: String = #file,
        function: String = #function,
        line: UInt = #line
    ) -> [Effect<Void, CartAction>] {
        [
            .just(action, file: file, function: function, line: line),
            .sequence(action, action, file: file, function: function, line: line, info: "twice"),
            .sequence([action], file: file, function: function, line: line),
            .promise(token: "t", file: file, function: function, line: line) { _, done in done(.clear) },
            Just(action).asEffect(file: file, function: function, line: line),
            Just(action).asEffect(token: "t", file: file, function: function, line: line),
        ]
    }

    /// Lifted by what every reader can do; and readers put together under a type that only says the dependencies.
    static func lifted<Reader: MiddlewareReaderProtocol>(_ reader: Reader) -> MiddlewareReader<
        World, AnyMiddleware<AppAction, AppAction, AppState>
    >
    where
        Reader.Dependencies == Bank, Reader.MiddlewareType.InputActionType == PaymentAction,
        Reader.MiddlewareType.OutputActionType == PaymentAction, Reader.MiddlewareType.StateType == PaymentState
    {
        let lifted = reader.lift(
            inputAction: { (action: AppAction) in action.payment },
            outputAction: AppAction.payment,
            state: { (state: AppState) in state.payment },
            dependencies: { (world: World) in world.bank }
        )
        return MiddlewareReader<World, IdentityMiddleware<AppAction, AppAction, AppState>>.zip(
            lifted,
            appMiddleware,
            with: { first, second in (first <> second).eraseToAnyMiddleware() }
        )
    }

    static func bridge(on path: KeyPath<AppAction, CartAction?>) -> BridgeMiddleware<AppAction, AppAction, AppState> {
        BridgeMiddleware().bridge(on: path, dispatch: { _ in .payment(.forget) })
    }
}

/// A reader of the app's own.
struct PaymentReader: MiddlewareReaderProtocol {
    let inject: (Bank) -> PaymentMiddleware

    init(inject: @escaping (Bank) -> PaymentMiddleware) {
        self.inject = inject
    }
}

extension EffectMiddleware
where InputActionType == CartAction, OutputActionType == CartAction, StateType == CartState, Dependencies == World {
    static var doubling: MiddlewareReader<Dependencies, EffectMiddleware> {
        EffectMiddleware.onAction { (action, dispatcher, getState) -> Effect<World, CartAction> in
            switch action {
            case let .add(item):
                return .sequence([.reprice(name: item.name, price: item.price * 2)], from: dispatcher)
            case .reprice:
                return .promise(token: "later", from: dispatcher) { context, done in
                    context.dependencies.log("\(getState().total)")
                    done(.clear)
                }
            case .clear:
                return Effect { context in
                    context.dependencies.rates().replaceError(with: 1)
                        .map { DispatchedAction(CartAction.reprice(name: "all", price: $0)) }
                        .append(context.toCancel("later"))
                }
            }
        }
    }
}

/// A view model of another kind, on any store of these actions.
final class TotalViewModel: ObservableObject {
    @Published var total = 0
    private let store: AnyStoreType<CartAction, Int>
    private var cancellables = Set<AnyCancellable>()

    init<S: StoreType>(store: S) where S.ActionType == CartAction, S.StateType == Int {
        self.store = store.eraseToAnyStoreType()
        store.statePublisher
            .map { $0 / 100 }
            .removeDuplicates()
            .receive(on: ASAPScheduler.default)
            .sink { [weak self] in self?.total = $0 }
            .store(in: &cancellables)
        store.statePublisher.assign(to: \.total, on: self).store(in: &cancellables)
        store.statePublisher.subscribe(.combine(onValue: { _ in })).cancelled(by: &cancellables)
    }

    func clear() {
        store.dispatch(.clear)
        DispatchQueue.asap { assert(DispatchQueue.isMainQueue) }
    }
}
