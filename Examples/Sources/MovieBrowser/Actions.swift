// SPDX-License-Identifier: Apache-2.0

/// Everything that can happen in the app; each part of it knows its own actions only.
enum AppAction: Sendable {
    case search(SearchAction)
    case favourites(FavouritesAction)

    var search: SearchAction? { if case .search(let action) = self { action } else { nil } }
    var favourites: FavouritesAction? { if case .favourites(let action) = self { action } else { nil } }
}

enum SearchAction: Sendable {
    /// The text of the search field changed.
    case typed(String)
    /// An answer of the server, and to which question.
    case found([Movie], for: String)
    case failed(String)
}

enum FavouritesAction: Sendable {
    /// The star of a movie was tapped.
    case tapped(Movie.ID)
    /// The library has it like that now.
    case changed(Movie.ID, isFavourite: Bool)
}
