// SPDX-License-Identifier: Apache-2.0

import MillraceCombine

/// Plays the user: types, waits, looks, taps. Everything it waits for is a condition, and has a time limit.
@MainActor
struct User {
    let model: BrowserModel
    let server: MovieServer

    struct TiredOfWaiting: Error {
        let reason: String
    }

    /// Types letter by letter, the next one when the server has heard the question before: each is under way.
    func type(_ word: String) async throws {
        for end in word.indices {
            let text = String(word[...end])
            model.dispatch(.typed(text))
            try await wait(for: "the server to hear “\(text)”") { await server.heard.last == text }
        }
    }

    func clear() {
        model.dispatch(.typed(""))
    }

    /// Taps, and waits until the star on the screen is another one: a middleware has the library's answer dispatched after
    /// the tap.
    func tapStar(of row: BrowserScreen.Row) async throws {
        model.dispatch(.tappedStar(of: row.id))
        try await wait(for: "the star of “\(row.title)”") {
            model.state.rows.contains { $0.id == row.id && $0.isFavourite != row.isFavourite }
        }
    }

    func waitForRows() async throws {
        try await wait(for: "an answer to “\(model.state.text)”") { model.state.rowsAnswer == model.state.text }
    }

    /// Waits until no answer is under way any more, also none that nobody wants.
    func waitForQuiet() async throws {
        try await wait(for: "the server to answer everything") { await server.answered.count == server.heard.count }
        try await Task.sleep(for: .milliseconds(200))  // An answer that comes nevertheless has the time to be drawn.
    }

    private func wait(for reason: String, until condition: () async -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(20)
        while await !condition() {
            guard ContinuousClock.now < end else { throw TiredOfWaiting(reason: reason) }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
