// SPDX-License-Identifier: Apache-2.0

// The code of the section "Effects that must be completed" of the article "A store that survives".

import Foundation
import Millrace
import MillraceEffects
import MillraceJournal

func printing() -> SimpleEffectMiddleware<Till, Day> {
    .onAction { action, _, _ in
        guard case .sold(_, let cents) = action, cents >= 1_000 else { return .doNothing }
        return .task { _ in
            // The same key if the effect begins again: the printer recognises the second call.
            await printReceipt(over: cents, key: EffectKey.current?.description ?? "")
            return .printed(receipt: cents)
        }
    }
}

/// A printer that is out of order at first.
actor Printery {
    static let shared = Printery()
    var works = false
    private(set) var keys: [String] = []

    func repair() { works = true }

    func take(_ key: String) -> Bool {
        keys.append(key)
        return works
    }
}

func printReceipt(over cents: Int32, key: String) async {
    guard await !Printery.shared.take(key) else { return }
    try? await Task.sleep(for: .seconds(3_600))
}

/// The store ends while it waits for the printer. Its next start prints the receipt.
@MainActor
func printTwice() async throws {
    func open() async throws -> ReduxStoreBase<Till, Day> {
        try await ReduxStoreBase(
            recovering: Journal<Till>(directory: "printing.journal", codec: .bitwise(version: 1)),
            initialState: Day(),
            reducer: reducer,
            middleware: printing(),
            effects: .restart
        )
    }
    let store = try await open()
    try await store.commit(.sold(article: 7, cents: 1_250), producer: "till-3", number: 1)
    while await Printery.shared.keys.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    _ = await store.shutdown()
    await Printery.shared.repair()
    let again = try await open()
    print(again.recovery!)  // 1 actions to 1, … 1 handled again for their effects
    while again.state.receipts == 0 { try await Task.sleep(for: .milliseconds(1)) }
    let keys = await Printery.shared.keys
    print(keys)  // the same key twice
    precondition(keys.count == 2 && keys[0] == keys[1] && again.state.cents == 1_250)
    _ = await again.shutdown()
    try FileManager.default.removeItem(atPath: "printing.journal")
}
