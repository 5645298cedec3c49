// SPDX-License-Identifier: Apache-2.0

import MillraceCombine

/// Loads pages: a class with its types spelled as aliases, and a service that calls back.
final class CatalogueMiddleware: MiddlewareProtocol, Sendable {
    typealias InputActionType = CatalogueAction
    typealias OutputActionType = CatalogueAction
    typealias StateType = Catalogue

    private let fetchPage: @Sendable (Int, @escaping World.Answer<[Movie]>) -> Void

    init(fetchPage: @escaping @Sendable (Int, @escaping World.Answer<[Movie]>) -> Void) {
        self.fetchPage = fetchPage
    }

    func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>
    ) -> IO<OutputActionType> {
        guard case let .load(page) = action else { return .pure() }
        return IO { [weak self] output in
            self?.fetchPage(page) { result in
                switch result {
                case let .success(movies): output.dispatch(.loaded(movies), info: "page \(page)")
                case let .failure(error): output.dispatch(.failed("\(error)"))
                }
            }
        }
    }
}

/// Keeps favourites on a server: what it asks for depends on the state before the action is reduced.
final class FavouritesMiddleware: MiddlewareProtocol, Sendable {
    typealias InputActionType = FavouritesAction
    typealias OutputActionType = FavouritesAction
    typealias StateType = Favourites

    private let setFavourite: @Sendable (Int, Bool, @escaping World.Answer<Void>) -> Void

    init(setFavourite: @escaping @Sendable (Int, Bool, @escaping World.Answer<Void>) -> Void) {
        self.setFavourite = setFavourite
    }

    func handle(
        action: FavouritesAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<Favourites>
    ) -> IO<FavouritesAction> {
        guard case let .toggle(movie) = action else { return .pure() }
        let wanted = !state().movies.contains(movie)
        return IO { [weak self] output in
            guard let self else { return }
            self.setFavourite(movie, wanted) { result in
                switch result {
                case .success: output.dispatch(.changed(movie: movie, isFavourite: wanted))
                case .failure: output.dispatch(.refused(movie: movie))
                }
            }
        }
    }
}

/// Writes down every action with the state before and after it; dispatches nothing, works with any app.
final class LogMiddleware<Action, State: Sendable>: MiddlewareProtocol, Sendable {
    typealias InputActionType = Action
    typealias OutputActionType = Never
    typealias StateType = State

    private let write: @Sendable (String) -> Void

    init(write: @escaping @Sendable (String) -> Void) {
        self.write = write
    }

    func handle(action: Action, from dispatcher: ActionSource, state: @escaping GetState<State>) -> IO<Never> {
        let before = state()
        let what = "\(action)"
        return IO { [write] _ in
            write("\(what) from \(dispatcher.function):\(dispatcher.line): \(before) -> \(state())")
        }
    }
}

/// Says how the app's middlewares are put together, once for every world.
func appMiddleware(_ world: World) -> ComposedMiddleware<AppAction, AppAction, AppState> {
    LogMiddleware<AppAction, Volume>(write: world.log)
        .lift(inputAction: { $0.isPlayback ? $0 : nil }, outputAction: absurd, state: \AppState.playback.volume)
        <> CatalogueMiddleware(fetchPage: world.fetchPage)
        .lift(inputAction: \AppAction.catalogue, outputAction: AppAction.catalogue, state: \AppState.catalogue)
        <> FavouritesMiddleware(setFavourite: world.setFavourite)
        .lift(inputAction: \AppAction.favourites, outputAction: AppAction.favourites, state: \AppState.favourites)
        <> AnyMiddleware { action, dispatcher, _ in
            guard case .started = action else { return .pure() }
            return IO { $0.dispatch(.catalogue(.load(page: 0)), from: dispatcher) }
        }
}

/// The store of the app, as a class of its own.
class MovieStore: ReduxStoreBase<AppAction, AppState>, @unchecked Sendable {
    init(world: World, state: AppState = .empty) {
        super.init(
            subject: .combine(initialValue: state),
            reducer: appReducer,
            middleware: appMiddleware(world),
            emitsValue: .whenDifferent
        )
    }
}
