// SPDX-License-Identifier: Apache-2.0

import MillraceCombine

/// The store: each part of the app at its place in the actions, the state and the world.
func makeStore(world: World, searchToken: String?) -> ReduxStoreBase<AppAction, AppState> {
    let search = Handler(reducer: searchReducer, middleware: searchMiddleware(token: searchToken)).lift(
        inputAction: \AppAction.search,
        outputAction: AppAction.search,
        state: \AppState.search,
        dependencies: { (world: World) in world.movies }
    )
    let favourites = Handler(
        reducer: favouritesReducer,
        middleware: MiddlewareReader { library in FavouritesMiddleware(library: library) }
    ).lift(
        inputAction: \AppAction.favourites,
        outputAction: AppAction.favourites,
        state: \AppState.favourites,
        dependencies: { (world: World) in world.favourites }
    )
    // The main queue, as a view wants it: an event has been reduced, and drawn, when its `dispatch` returns. What
    // middlewares dispatch in turn comes after it.
    return ReduxStoreBase(
        initialState: AppState(),
        handler: search <> favourites,
        dependencies: world,
        engine: .main,
        publication: .everyAction
    )
}
