// SPDX-License-Identifier: Apache-2.0

// The actions of a small movie app: a tree of enumerations, each case with a property that gives what is in it. People
// write these properties by hand, or have them generated.

enum AppAction: Equatable, Sendable {
    case started
    case catalogue(CatalogueAction)
    case favourites(FavouritesAction)
    case playback(PlaybackAction)
}

enum CatalogueAction: Equatable, Sendable {
    case load(page: Int)
    case loaded([Movie])
    case failed(String)
}

enum FavouritesAction: Equatable, Sendable {
    case toggle(movie: Int)
    case changed(movie: Int, isFavourite: Bool)
    case refused(movie: Int)
}

enum PlaybackAction: Equatable, Sendable {
    case pause
    case volume(VolumeAction)
}

enum VolumeAction: Equatable, Sendable {
    case louder
    case softer
    case mute
}

extension AppAction {
    var started: Void? {
        guard case .started = self else { return nil }
        return ()
    }

    var catalogue: CatalogueAction? {
        get {
            guard case .catalogue(let value) = self else { return nil }
            return value
        }
        set {
            guard case .catalogue = self, let newValue else { return }
            self = .catalogue(newValue)
        }
    }

    var favourites: FavouritesAction? {
        get {
            guard case .favourites(let value) = self else { return nil }
            return value
        }
        set {
            guard case .favourites = self, let newValue else { return }
            self = .favourites(newValue)
        }
    }

    var playback: PlaybackAction? {
        get {
            guard case .playback(let value) = self else { return nil }
            return value
        }
        set {
            guard case .playback = self, let newValue else { return }
            self = .playback(newValue)
        }
    }

    var isPlayback: Bool { playback != nil }
}

extension PlaybackAction {
    var volume: VolumeAction? {
        get {
            guard case .volume(let value) = self else { return nil }
            return value
        }
        set {
            guard case .volume = self, let newValue else { return }
            self = .volume(newValue)
        }
    }
}
