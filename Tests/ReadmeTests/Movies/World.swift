// SPDX-License-Identifier: Apache-2.0

/// Why a service did not answer.
enum ServiceError: Error, Equatable {
    case offline
}

/// What the app needs of the world; a test puts closures of its own here.
struct World: Sendable {
    typealias Answer<Value> = @Sendable (Result<Value, ServiceError>) -> Void

    /// A page of the catalogue, as a data task would bring it.
    var fetchPage: @Sendable (_ page: Int, _ answer: @escaping Answer<[Movie]>) -> Void
    /// Asks the server to keep or forget a favourite.
    var setFavourite: @Sendable (_ movie: Int, _ isFavourite: Bool, _ answer: @escaping Answer<Void>) -> Void
    var log: @Sendable (String) -> Void

    /// Everything answers at once.
    static func test(
        pages: [[Movie]] = [[Movie(id: 1, title: "Metropolis"), Movie(id: 2, title: "Sunrise")]],
        refusing refused: Set<Int> = [],
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) -> World {
        World(
            fetchPage: { page, answer in
                answer(pages.indices.contains(page) ? .success(pages[page]) : .failure(.offline))
            },
            setFavourite: { movie, _, answer in
                answer(refused.contains(movie) ? .failure(.offline) : .success(()))
            },
            log: log
        )
    }
}
