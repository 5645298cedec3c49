// SPDX-License-Identifier: Apache-2.0

import Millrace

/// Accepts every answer. The middleware cancels older searches, so no late answer arrives.
let searchReducer = Reducer<SearchAction, SearchState>.reduce { action, state in
    switch action {
    case .typed(let text):
        state.text = text
        state.progress = text.isEmpty ? .idle : .searching
    case .found(let movies, let query):
        state.progress = .found(movies, for: query)
    case .failed(let reason):
        state.progress = .failed(reason)
    }
}

let favouritesReducer = Reducer<FavouritesAction, Set<Movie.ID>>.reduce { action, favourites in
    switch action {
    case .tapped: break  // No change yet: FavouritesMiddleware stores it first, and then dispatches `.changed`.
    case .changed(let id, isFavourite: true): favourites.insert(id)
    case .changed(let id, isFavourite: false): favourites.remove(id)
    }
}
