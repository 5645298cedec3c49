// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects

enum Searching: Sendable, Equatable {
    case typed(String)
    case found([String])
    case failed
    case left

    var found: [String]? { if case .found(let results) = self { results } else { nil } }
}

struct SearchState: Sendable, Equatable {
    var text = ""
    var results: [String] = []
    var isFailed = false
}

let searchReducer = Reducer<Searching, SearchState>.reduce { action, state in
    switch action {
    case .typed(let text): state.text = text
    case .found(let results): state.results = results
    case .failed: state.isFailed = true
    case .left: state.text = ""
    }
}

/// Searches 300 ms after the last letter; a search takes 50 ms.
let searchEffects = SimpleEffectMiddleware<Searching, SearchState>.onAction { action, _, _ in
    switch action {
    case .typed(let text):
        .just(.found([text.uppercased()])).delay(for: .milliseconds(50))
            .debounce(for: .milliseconds(300), token: "search")
    case .left: .toCancel("search")
    case .found, .failed: .doNothing
    }
}

/// Answers each text at once, by an IO.
struct Echo: MiddlewareProtocol {
    func handle(action: Searching, from: ActionSource, state: @escaping GetState<SearchState>) -> IO<Searching> {
        guard case .typed = action else { return .pure() }
        return IO { output in output.dispatch(.found([state().text])) }
    }
}
