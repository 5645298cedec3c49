// SPDX-License-Identifier: Apache-2.0

// The code of the article "Dependencies, handlers and routing", block by block.
import Millrace

enum SessionAction: Sendable {
    case logIn(token: Int), loggedIn(String), loggedOut
}

enum AppAction: Sendable {
    case session(SessionAction), load(String), clear

    var session: SessionAction? { if case .session(let action) = self { action } else { nil } }
}

struct Session: Sendable, Equatable {
    var user: String?
}

struct AppState: Sendable {
    var session = Session()
    var cart: [String] = []
}

struct LogIn: MiddlewareProtocol {
    let users: @Sendable (Int) -> String?

    func handle(
        action: SessionAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<Session>
    ) -> IO<SessionAction> {
        guard case .logIn(let token) = action, let user = users(token) else { return .pure() }
        return IO { output in output.dispatch(.loggedIn(user), from: dispatcher) }
    }
}

let logIn = MiddlewareReader { users in LogIn(users: users) }  // nothing is made yet

struct World: Sendable {
    var users: @Sendable (Int) -> String?
}

let sessionReducer = Reducer<SessionAction, Session>.reduce { action, session in
    switch action {
    case .logIn: break
    case .loggedIn(let user): session.user = user
    case .loggedOut: session.user = nil
    }
}

let session = Handler(reducer: sessionReducer, middleware: logIn).lift(
    inputAction: \AppAction.session,
    outputAction: AppAction.session,
    state: \AppState.session,
    dependencies: { (world: World) in world.users }
)

let bridge = BridgeMiddleware<AppAction, AppAction, AppState>()
    .bridge(on: \.session?.loggedIn, dispatch: AppAction.load, when: { $0.cart.isEmpty })

extension SessionAction {
    var loggedIn: String? { if case .loggedIn(let user) = self { user } else { nil } }
}

let machine = StateMachineMiddleware<AppAction, AppAction, AppState>()
    .when(\.session.user, to: .value(nil), dispatch: .clear)

let world = World(users: { token in token == 7 ? "Ada" : nil })

let store = ReduxStoreBase<AppAction, AppState>(initialState: AppState(), engine: .caller) {
    session.inject(world)
    Reducer<AppAction, AppState>.reduce { action, state in
        switch action {
        case .session: break
        case .load(let user): state.cart = ["\(user)'s book"]
        case .clear: state.cart = []
        }
    }
    bridge
    machine
    if CommandLine.arguments.contains("--verbose") {
        AnyMiddleware { action, dispatcher, _ in
            print(action, "from", dispatcher)
            return .pure()
        }
    }
}

store.dispatch(.session(.logIn(token: 7)))
print(store.state.cart)  // ["Ada\'s book"]
store.dispatch(.session(.loggedOut))
print(store.state.cart)  // []

func makeStore(
    of middleware: sending some MiddlewareProtocol<AppAction, AppAction, AppState>
) -> ReduxStoreBase<AppAction, AppState> {
    ReduxStoreBase(initialState: AppState(), reducer: .identity, middleware: middleware)
}

_ = makeStore(of: IdentityMiddleware())
