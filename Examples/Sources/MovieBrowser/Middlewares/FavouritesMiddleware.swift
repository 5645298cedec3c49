// SPDX-License-Identifier: Apache-2.0

import Millrace

/// Keeps the user's favourites in the library; a middleware written by hand.
struct FavouritesMiddleware: MiddlewareProtocol {
    let library: FavouritesLibrary

    func handle(
        action: FavouritesAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<Set<Movie.ID>>
    ) -> IO<FavouritesAction> {
        guard case .tapped(let id) = action else { return .pure() }
        return IO { output in
            let isFavourite = !state().contains(id)
            library.set(id, isFavourite: isFavourite)
            output.dispatch(.changed(id, isFavourite: isFavourite), from: dispatcher)
        }
    }
}
