// SPDX-License-Identifier: Apache-2.0

/// What the user does in this example, and what has to be on the screen then.
@MainActor
func demonstrate(
    _ user: User,
    _ terminal: Terminal,
    _ favourites: FavouritesLibrary,
    _ checks: inout Checks
) async throws {
    let model = user.model

    print("\nThe user types “dune”, a letter at a time:")
    try await user.type("dune")
    try await user.waitForRows()
    try await user.waitForQuiet()
    let (heard, answered) = (await user.server.heard, await user.server.answered)
    print("The server heard \(heard), and answered in this order: \(answered).")
    checks.expect("every question was answered") { Set(answered) == ["d", "du", "dun", "dune"] }
    checks.expect("“dune” is on the screen") {
        model.state.text == "dune" && model.state.rows.map(\.id) == Catalogue.search("dune").map(\.id)
    }

    print("\nThe user taps the first star:")
    if let row = model.state.rows.first { try await user.tapStar(of: row) }
    checks.expect("it is lit, and no other") { model.state.rows.map(\.isFavourite) == [true, false, false] }
    checks.expect("the library keeps it") { favourites.all == Set(model.state.rows.prefix(1).map(\.id)) }

    print("\nThe user begins anew, and changes their mind before there is an answer:")
    user.clear()
    try await user.type("m")
    user.clear()
    try await user.waitForQuiet()
    checks.expect("the screen stays empty") { model.state.text.isEmpty && model.state.rows.isEmpty }

    print()
    checks.expect("no answer was ever drawn under another question") {
        terminal.drawn.allSatisfy { $0.rowsAnswer == nil || $0.rowsAnswer == $0.text }
    }
}
