// SPDX-License-Identifier: Apache-2.0

import MillraceCombine

/// Asks the server at each key stroke.
///
/// All searches have one token, so a new one cancels the one before, request included. With no token they would all run to
/// their end, and whichever the server answers last would be on the screen.
func searchMiddleware(
    token: String?
) -> MiddlewareReader<MovieService, SymmetricalEffectMiddleware<SearchAction, SearchState, MovieService>> {
    EffectMiddleware.onAction { action, _, _ in
        guard case .typed(let query) = action else { return .doNothing }
        guard !query.isEmpty else { return token.map { .toCancel($0) } ?? .doNothing }
        return .task(token: token) { context in
            .found(try await context.dependencies.search(query), for: query)
        } catchErrors: { error in
            .failed("\(error)")
        }
    }
}
