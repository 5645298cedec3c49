// SPDX-License-Identifier: Apache-2.0

// The code of the article of MillraceJournalCommand (scripts/readme-check.sh compares them).
//
//     swift run --package-path Examples JournalTool                       writes a journal, and looks into it
//     swift run --package-path Examples JournalTool stat shop.journal     is a tool for such journals

import Foundation
import Millrace
import MillraceJournal
import MillraceJournalCommand
import MillraceRecords

enum Sale: Codable, Sendable {
    case sold(cents: Int)
    case returned(cents: Int)
}

struct Shop: Codable, Sendable {
    var cents = 0
    var sales = 0
}

let sales = Reducer<Sale, Shop>.reduce { action, shop in
    switch action {
    case .sold(let cents):
        shop.cents += cents
        shop.sales += 1
    case .returned(let cents): shop.cents -= cents
    }
}

enum ShopJournal: JournalModel {
    static func codec() throws -> any ActionCodec<Sale> { try CodableCodec<Sale>(version: 1) }
    static func stateCodec() throws -> (any ActionCodec<Shop>)? { try CodableCodec<Shop>(version: 1) }
    static var initialState: Shop { Shop() }
    static var reducer: Reducer<Sale, Shop> { sales }
    static var invariants: [JournalInvariant<Shop>] {
        [JournalInvariant("not in debt") { shop in shop.cents >= 0 }]
    }
}

if CommandLine.arguments.count > 1 {
    JournalCommand<ShopJournal>.main()  // the one line
    exit(0)
}

let folder = "shop.journal"
let store = try await ReduxStoreBase(
    recovering: try Journal<Sale>(directory: folder, codec: .codable(version: 1), durability: .process),
    initialState: Shop(),
    reducer: sales,
    snapshots: .every(actions: 100, by: .codable(version: 1))
)
for number in 1...250 { store.dispatch(.sold(cents: number)) }
store.dispatch(.returned(cents: 40_000))
_ = await store.shutdown()

/// Runs a command, as the shell would, and returns its exit code.
func journal(_ arguments: String...) -> Int32 {
    print("$ shop-journal", arguments.joined(separator: " "))
    do {
        var command = try JournalCommand<ShopJournal>.parseAsRoot(arguments)
        try command.run()
        return 0
    } catch {
        return JournalCommand<ShopJournal>.exitCode(for: error).rawValue
    }
}

precondition(journal("stat", folder) == 0)
precondition(journal("show", folder, "250", "--state") == 0)
precondition(journal("verify", folder) == 0)
precondition(journal("replay", folder) == 0)
precondition(journal("bisect", folder, "--invariant", "not in debt") == 1)  // action 251
try FileManager.default.removeItem(atPath: folder)
