// SPDX-License-Identifier: Apache-2.0

import MillraceCombine
import TestSupport
import Testing

/// The same app, its parts one below the other.
@Suite("Readme: result builders", .timeLimit(.minutes(5)))
struct BuilderTests {
    @Test("reducers, middlewares and a store", arguments: [true, false])
    func app(isVerbose: Bool) {
        let lines = Recorder<String>()
        let world = World.test()
        let reducer = Reducer<AppAction, AppState> {
            Reducer.catalogue.lift(action: \.catalogue, state: \.catalogue)
            Reducer.favourites.lift(action: \.favourites, state: \.favourites)
            playbackReducer.lift(action: \.playback, state: \.playback)
        }
        let services = ComposedMiddleware<AppAction, AppAction, AppState> {
            CatalogueMiddleware(fetchPage: world.fetchPage)
                .lift(inputAction: \AppAction.catalogue, outputAction: AppAction.catalogue, state: \AppState.catalogue)
            FavouritesMiddleware(setFavourite: world.setFavourite)
                .lift(
                    inputAction: \AppAction.favourites,
                    outputAction: AppAction.favourites,
                    state: \AppState.favourites
                )
        }
        // Nobody else has them.
        nonisolated(unsafe) let parts = services
        let store = ReduxStoreBase<AppAction, AppState>(
            initialState: .empty,
            engine: .caller,
            publication: .everyAction
        ) {
            reducer
            parts
            if isVerbose {
                LogMiddleware<AppAction, AppState>(write: { lines.record($0) }).lift(outputAction: absurd)
            }
        }
        store.dispatch(.catalogue(.load(page: 0)))
        store.dispatch(.favourites(.toggle(movie: 2)))
        store.dispatch(.playback(.volume(.louder)))
        #expect(store.state.catalogue.movies.count == 2)
        #expect(store.state.favourites.movies == [2])
        #expect(store.state.playback.volume.level == 6)
        #expect(lines.count == (isVerbose ? 5 : 0))
    }
}
