// SPDX-License-Identifier: Apache-2.0

// The code of the sections "The state in an IO", "All arguments" and "An answer that must not be lost" of the article "A
// store that survives".

import Foundation
import Millrace
import MillraceEffects
import MillraceJournal

let goal = 100_000

/// Not right with a journal.
struct LateCheck: MiddlewareProtocol {
    func handle(action: Till, from dispatcher: ActionSource, state: @escaping GetState<Day>) -> IO<Till> {
        let before = state().cents
        return IO { output in
            // `state()` may have later sales, too: then several sales reach the goal.
            if before < goal, state().cents >= goal { output.dispatch(.printed(receipt: 1)) }
        }
    }
}

final class Check: MiddlewareProtocol {
    private var before = 0

    func handle(action: Till, from dispatcher: ActionSource, state: @escaping GetState<Day>) -> IO<Till> {
        before = state().cents
        return .pure()
    }

    func afterReduce(
        action: Till,
        from dispatcher: ActionSource,
        state: @escaping GetState<Day>,
        output: AnyActionHandler<Till>
    ) {
        // The state right after this action: exactly one sale reaches the goal.
        if before < goal, state().cents >= goal { output.dispatch(.printed(receipt: 1)) }
    }
}

func checking() -> SimpleEffectMiddleware<Till, Day> {
    .onAction { action, _, state in
        guard case .sold(_, let cents) = action else { return .doNothing }
        let after = state().cents  // right after the reducers
        return after >= goal && after - Int(cents) < goal ? .just(.printed(receipt: 1)) : .doNothing
    }
}

func openWithAll() async throws -> ReduxStoreBase<Till, Day> {
    let journal = try Journal<Till>(
        directory: "all.journal",
        codec: .bitwise(version: 1),
        durability: .grouped,
        onFailure: .stop
    )
    return try await ReduxStoreBase(
        recovering: journal,
        initialState: Day(),
        reducer: reducer,
        middleware: checking(),
        engine: .thread(name: "till"),
        capacity: .bounded(10_000, overflow: .block),
        snapshots: .every(actions: 10_000, by: .codable(version: 1)),
        held: .held,
        visibility: .immediate,
        effects: .restart
    )
}

/// How often the goal was reached.
func receipts(
    held: HeldWorkPolicy,
    _ middleware: sending some MiddlewareProtocol<Till, Till, Day>
) async throws -> Int {
    let store = try await ReduxStoreBase(
        recovering: Journal<Till>(directory: "check.journal", codec: .bitwise(version: 1), segmentBytes: 1 << 20),
        initialState: Day(),
        reducer: reducer,
        middleware: middleware,
        held: held
    )
    defer { try? FileManager.default.removeItem(atPath: "check.journal") }
    return try await receipts(of: store)
}

func receipts(of store: ReduxStoreBase<Till, Day>) async throws -> Int {
    for number in 1...200 as ClosedRange<Int32> { store.dispatch(.sold(article: number, cents: 1_000)) }
    await store.drain()
    await store.drain()  // what the middleware dispatched meanwhile
    let receipts = store.state.receipts
    _ = await store.shutdown()
    return receipts
}

func checkTheGoal() async throws {
    print(try await receipts(held: .held, LateCheck()))  // as a rule many
    let exact = try await receipts(held: .exact, LateCheck())
    let checked = try await receipts(held: .held, Check())
    let answered = try await receipts(of: openWithAll())
    precondition(exact == 1 && checked == 1 && answered == 1)
    try FileManager.default.removeItem(atPath: "all.journal")
}
