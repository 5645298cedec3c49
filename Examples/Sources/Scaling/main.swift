// SPDX-License-Identifier: Apache-2.0

// The code of docs/scaling.md.
import Millrace

struct Sale: Sendable {
    var account: Int
    var cents: Int
}

let sales = ShardedStore(
    shards: 4,
    by: { (sale: Sale) in sale.account },
    initialState: { _ in [Int: Int]() },
    reducer: Reducer<Sale, [Int: Int]>.reduce { sale, totals in totals[sale.account, default: 0] += sale.cents },
    middleware: { _ in IdentityMiddleware<Sale, Sale, [Int: Int]>() }
)
for number in 0..<1_000 { sales.dispatch(Sale(account: number % 10, cents: 5)) }
await sales.drain()
print(sales.state(for: 3)[3] ?? 0)  // 500
print(sales.states.reduce(0) { $0 + $1.values.reduce(0, +) })  // 5000
