// SPDX-License-Identifier: Apache-2.0

import MillraceCombine

/// Asks the server at each change of the text; an empty text only cancels.
///
/// All searches use `token`, so a new search cancels the one before and its request. If `token` is nil, all searches run
/// to their end, and the answer that arrives last is shown, whatever its query.
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
