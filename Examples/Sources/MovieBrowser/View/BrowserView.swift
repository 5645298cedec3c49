// SPDX-License-Identifier: Apache-2.0

import MillraceCombine

/// What the user can do.
enum BrowserEvent: Sendable {
    case typed(String)
    case tappedStar(of: Movie.ID)
}

/// What the user sees, ready to be drawn.
struct BrowserScreen: Sendable, Equatable {
    struct Row: Sendable, Equatable {
        let id: Movie.ID
        let title: String
        let isFavourite: Bool
    }

    var text = ""
    var status = ""
    /// The question that the rows answer; nil when there are none.
    var rowsAnswer: String?
    var rows: [Row] = []
}

extension BrowserScreen {
    init(_ state: AppState) {
        text = state.search.text
        switch state.search.progress {
        case .idle: status = "type a title"
        case .searching: status = "searching…"
        case .failed(let reason): status = "no answer: \(reason)"
        case .found(let movies, let query):
            status = "\(movies.count) found for “\(query)”"
            rowsAnswer = query
            rows = movies.map { movie in
                Row(
                    id: movie.id,
                    title: "\(movie.title) (\(movie.year))",
                    isFavourite: state.favourites.contains(movie.id)
                )
            }
        }
    }
}

typealias BrowserModel = ObservableViewModel<BrowserEvent, BrowserScreen>

/// The store as the view knows it: neither the app's actions nor its state.
func browserModel(_ store: some StoreType<AppAction, AppState>) -> BrowserModel {
    store.projection(
        action: { (event: BrowserEvent) in
            switch event {
            case .typed(let text): .search(.typed(text))
            case .tappedStar(let id): .favourites(.tapped(id))
            }
        },
        state: BrowserScreen.init
    ).asObservableViewModel(initialState: BrowserScreen())
}
