// SPDX-License-Identifier: Apache-2.0

import MillraceCombine

extension Reducer where ActionType == CatalogueAction, StateType == Catalogue {
    static let catalogue = Reducer.reduce { action, state in
        switch action {
        case .load:
            state.isLoading = true
            state.problem = nil
        case .loaded(let movies):
            state.isLoading = false
            state.movies += movies
        case .failed(let problem):
            state.isLoading = false
            state.problem = problem
        }
    }
}

extension Reducer where ActionType == FavouritesAction, StateType == Favourites {
    static let favourites = Reducer.reduce { action, state in
        switch action {
        case .toggle(let movie):
            state.waiting.insert(movie)
        case .changed(let movie, let isFavourite):
            state.waiting.remove(movie)
            if isFavourite { state.movies.insert(movie) } else { state.movies.remove(movie) }
        case .refused(let movie):
            state.waiting.remove(movie)
        }
    }
}

let volumeReducer = Reducer<VolumeAction, Volume>.reduce { action, volume in
    switch action {
    case .louder: volume = Volume(level: min(volume.level + 1, 10))
    case .softer: volume = Volume(level: max(volume.level - 1, 0))
    case .mute: volume.isMuted.toggle()
    }
}

let playbackReducer =
    Reducer<PlaybackAction, Playback>.reduce { action, state in
        if case .pause = action { state.isPaused.toggle() }
    } <> volumeReducer.lift(action: \PlaybackAction.volume, state: \Playback.volume)

let appReducer: Reducer<AppAction, AppState> =
    Reducer.catalogue.lift(action: \.catalogue, state: \.catalogue)
    <> Reducer.favourites.lift(action: \.favourites, state: \.favourites)
    <> playbackReducer.lift(action: \.playback, state: \.playback)
