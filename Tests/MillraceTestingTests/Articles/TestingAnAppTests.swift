// SPDX-License-Identifier: Apache-2.0

// The code of the article "Testing an app" (scripts/readme-check.sh compares them), and the example of the README.

import Millrace
import MillraceEffects
import MillraceTesting
import Testing

private enum MovieAction: Sendable, Equatable {
    case typed(String)
    case found([String])
    case failed
    case left

    var found: [String]? { if case .found(let titles) = self { titles } else { nil } }
}

private struct Movies: Sendable, Equatable {
    var text = ""
    var titles: [String] = []
    var hasFailed = false
}

private let movieReducer = Reducer<MovieAction, Movies>.reduce { action, movies in
    switch action {
    case .typed(let text): movies.text = text
    case .found(let titles): movies.titles = titles
    case .failed: movies.hasFailed = true
    case .left: movies = Movies()
    }
}

private struct Offline: Error {}

/// Asks the catalogue 300 ms after the last letter, three times at most.
private func movieEffects(
    _ titles: @escaping @Sendable (String) async throws -> [String]
) -> SimpleEffectMiddleware<MovieAction, Movies> {
    .onAction { action, _, _ in
        switch action {
        case .typed(let text):
            .task(retry: .exponential(retries: 2, initial: .seconds(1), jitter: 0)) { _ in
                .found(try await titles(text))
            } catchErrors: { _ in
                .failed
            }
            .debounce(for: .milliseconds(300), token: "search")
        case .left: .toCancel("search")
        case .found, .failed: .doNothing
        }
    }
}

@Suite("Article: Testing an app")
struct TestingAnAppTests {
    @Test("one search for two letters")
    func search() {
        let store = TestStore(
            initialState: Movies(),
            reducer: movieReducer,
            middleware: movieEffects { text in [text.uppercased()] }
        )
        store.send(.typed("j")) { $0.text = "j" }
        store.advance(by: .milliseconds(200))  // not long enough: nothing comes
        store.send(.typed("ja")) { $0.text = "ja" }
        store.assertRunning("search", count: 1)
        store.advance(by: .milliseconds(300))
        store.receive(.found(["JA"])) { $0.titles = ["JA"] }
        store.assertIdle()
        store.finish()
    }

    @Test("retries")
    func retries() {
        let store = TestStore(
            initialState: Movies(),
            reducer: movieReducer,
            middleware: movieEffects { _ in throw Offline() }
        )
        store.send(.typed("j")) { $0.text = "j" }
        store.advance(by: .milliseconds(300))  // the first attempt
        store.advance(by: .seconds(1))  // the second one
        store.assertRunning("search")
        store.advance(by: .seconds(2))  // the third one
        store.receive(.failed) { $0.hasFailed = true }
        store.finish()
    }

    @Test("other ways to receive")
    func receive() {
        let store = TestStore(
            initialState: Movies(),
            reducer: movieReducer,
            middleware: movieEffects { text in [text] }
        )
        store.send(.typed("j")) { $0.text = "j" }
        store.advance(by: .milliseconds(300))
        let titles = store.receive(case: \.found) { $0.titles = ["j"] }  // returns the value of the case
        #expect(titles?.count == 1)
        store.send(.typed("k")) { $0.text = "k" }
        store.advance(by: .milliseconds(300))
        store.receive(where: { $0.found != nil }) { $0.titles = ["k"] }
        store.finish()
    }

    @Test("not exhaustive")
    func nonExhaustive() {
        let store = TestStore(
            initialState: Movies(),
            reducer: movieReducer,
            middleware: movieEffects { text in [text] }
        )
        store.exhaustivity = .off
        store.send(.typed("j"))  // the change is not declared
        store.advance(by: .milliseconds(300))
        store.send(.typed("k")) { $0.titles = ["j"] }  // handles .found first; only `titles` is checked
    }
}
