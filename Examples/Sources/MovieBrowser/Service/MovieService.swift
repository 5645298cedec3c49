// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the app wants from the server. A test would make one of a closure.
struct MovieService: Sendable {
    let search: @Sendable (String) async throws -> [Movie]

    struct Refusal: Error {
        let status: Int
    }
}

extension MovieService {
    /// Over HTTP. When its task is cancelled, the request is given up, and `search` throws.
    static func http(server: URL) -> MovieService {
        let session = URLSession(configuration: .ephemeral)
        return MovieService { query in
            let url = server.appending(path: "search").appending(queryItems: [URLQueryItem(name: "q", value: query)])
            let (body, response) = try await session.data(from: url)
            let status = (response as? HTTPURLResponse)?.statusCode ?? 0
            guard status == 200 else { throw Refusal(status: status) }
            return try JSONDecoder().decode([Movie].self, from: body)
        }
    }
}

/// Everything outside of the store that the middlewares depend on.
struct World: Sendable {
    let movies: MovieService
    let favourites: FavouritesLibrary
}
