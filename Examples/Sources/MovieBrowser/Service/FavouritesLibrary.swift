// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Where favourites would be kept from one start to the next; here, in memory.
final class FavouritesLibrary: Sendable {
    private let kept = Mutex<Set<Movie.ID>>([])

    var all: Set<Movie.ID> { kept.withLock { $0 } }

    func set(_ id: Movie.ID, isFavourite: Bool) {
        kept.withLock { kept in
            if isFavourite { kept.insert(id) } else { kept.remove(id) }
        }
    }
}
