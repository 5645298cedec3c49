// SPDX-License-Identifier: Apache-2.0

struct Movie: Sendable, Hashable, Codable, Identifiable {
    let id: Int
    let title: String
    let year: Int
}

struct AppState: Sendable {
    var search = SearchState()
    var favourites: Set<Movie.ID> = []
}

struct SearchState: Sendable {
    enum Progress: Sendable {
        case idle
        case searching
        case found([Movie], for: String)
        case failed(String)
    }

    var text = ""
    var progress = Progress.idle
}
