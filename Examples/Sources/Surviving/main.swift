// SPDX-License-Identifier: Apache-2.0

// The code of the article "A store that survives", block by block (scripts/readme-check.sh compares them).
//
//     swift run --package-path Examples Surviving

import Foundation
import Millrace
import MillraceJournal

enum Till: BitwiseCopyable, Sendable {
    case sold(article: Int32, cents: Int32)
    case printed(receipt: Int32)
}

struct Day: Codable, Sendable {
    var cents = 0
    var sales: [Int32: Int] = [:]
    var receipts = 0
}

let reducer = Reducer<Till, Day>.reduce { action, day in
    switch action {
    case .sold(let article, let cents):
        day.cents += Int(cents)
        day.sales[article, default: 0] += 1
    case .printed: day.receipts += 1
    }
}

struct Printer: MiddlewareProtocol {
    func handle(action: Till, from dispatcher: ActionSource, state: @escaping GetState<Day>) -> IO<Till> {
        guard case .sold(_, let cents) = action, cents >= 1_000 else { return .pure() }
        return IO { output in
            print("receipt over \(cents) cents")  // the sale is on the disk
            output.dispatch(.printed(receipt: cents))
        }
    }
}

func open() async throws -> ReduxStoreBase<Till, Day> {
    let journal = try Journal<Till>(directory: "till.journal", codec: .bitwise(version: 1))
    return try await ReduxStoreBase(
        recovering: journal,
        initialState: Day(),
        reducer: reducer,
        middleware: Printer(),
        snapshots: .every(actions: 10_000, by: .codable(version: 1))
    )
}

func open(in subject: UnfailableReplayLastSubjectType<Day>) async throws -> ReduxStoreBase<Till, Day> {
    let journal = try Journal<Till>(directory: "till.journal", codec: .bitwise(version: 1))
    // `subject` has the recovered day when this returns.
    return try await ReduxStoreBase(recovering: journal, subject: subject, reducer: reducer, middleware: Printer())
}

var store = try await open()
let receipt = try await store.commit(.sold(article: 7, cents: 1_250), producer: "till-3", number: 1)
print(receipt)  // committed as 1, grouped

for number in 2...1_000 as ClosedRange<UInt64> {
    store.dispatch(.sold(article: Int32(number % 9), cents: 100), producer: "till-3", number: number)
}
try await store.journaled()  // all of them are on the disk
_ = await store.shutdown()

store = try await open()
print(store.recovery!)  // 1001 actions to 1001, …
print(store.state.cents)  // 101150
let next = await store.lastNumber(of: "till-3") + 1
let repeated = try await store.commit(.sold(article: 7, cents: 1_250), producer: "till-3", number: 1)
print(repeated)  // a duplicate: 1000 was reached before, grouped
print(try await store.commit(.sold(article: 1, cents: 5), producer: "till-3", number: next))
_ = await store.shutdown()

let journal = try Journal<Till>(directory: "till.journal", codec: .bitwise(version: 1))
let then = try await journal.state(at: 500, initialState: Day(), reducer: reducer)
print(then.sales.values.reduce(0, +))
for try await entry in journal.entries(from: 1_000) {
    print(entry.head.sequence, entry.kind, entry.head.source?.line ?? 0)
}

precondition(store.state.cents == 101_155 && store.state.receipts == 1 && next == 1_001)
// One of the first 500 actions may be the receipt.
precondition((499...500).contains(then.sales.values.reduce(0, +)))
try FileManager.default.removeItem(atPath: "till.journal")

try await printTwice()
try await checkTheGoal()
