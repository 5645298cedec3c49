// SPDX-License-Identifier: Apache-2.0

struct AppState: Equatable, Sendable {
    var catalogue = Catalogue()
    var favourites = Favourites()
    var playback = Playback()

    static let empty = AppState()
}

struct Movie: Equatable, Identifiable, Sendable {
    let id: Int
    var title: String
}

struct Catalogue: Equatable, Sendable {
    var movies: [Movie] = []
    var isLoading = false
    var problem: String?
}

struct Favourites: Equatable, Sendable {
    var movies: Set<Int> = []
    var waiting: Set<Int> = []
}

struct Playback: Equatable, Sendable {
    var isPaused = false
    var volume = Volume()
}

struct Volume: Equatable, Sendable {
    var level = 5
    var isMuted = false
}
