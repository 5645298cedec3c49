// SPDX-License-Identifier: Apache-2.0

// The code of the article "Recording a session", block by block (scripts/readme-check.sh compares them).
//
//     swift run --package-path Examples Recording

import Foundation
import MillraceRecords

enum Sale: BitwiseCopyable, Sendable {
    case sold(article: Int32, cents: Int32)
    case refunded(article: Int32)
}

struct Totals: Codable, Sendable {
    var cents: [Int32: Int] = [:]
    var lastSale: ActionTime?
}

let reducer = Reducer<Sale, Totals>.reduceAt { sale, time, totals in
    switch sale {
    case .sold(let article, let cents):
        totals.cents[article, default: 0] += Int(cents)
        totals.lastSale = time
    case .refunded(let article): totals.cents[article] = nil
    }
}

let sales = try BitwiseCodec<Sale>(version: 1)
let totals = try CodableCodec<Totals>(version: 1)

var state = Totals()
var writer = try SessionWriter(path: "till.mrs", initialState: state, actions: sales, states: totals)
for number in 1...1000 as ClosedRange<UInt64> {
    let sale = number % 10 == 0 ? Sale.refunded(article: 3) : .sold(article: Int32(number % 7), cents: 250)
    let time = ActionTime(nanosecondsSince1970: Int64(number) * 1_000_000)
    try writer.append(sale, RecordHead(sequence: number, time: time, source: .here()))
    reducer.apply(sale, at: time, to: &state)
}
try writer.finish(finalHash: CanonicalHash(of: state))

let session = try SessionFile.read("till.mrs", actions: sales, states: totals)
let replayed = try session.replay(reducer)
print(replayed.cents[4] ?? 0, session.actions.count, session.isComplete)

enum SaleWithTill: BitwiseCopyable, Sendable {
    case sold(article: Int32, cents: Int32, till: UInt8)
    case refunded(article: Int32)
}

let second = try BitwiseCodec<SaleWithTill>(version: 2).upcasting(from: 1) { (old: Sale) in
    switch old {
    case .sold(let article, let cents): .sold(article: article, cents: cents, till: 0)
    case .refunded(let article): .refunded(article: article)
    }
}
let same = try SessionFile.read("till.mrs", actions: second, states: totals)
print(same.actions.count)

try FileManager.default.removeItem(atPath: "till.mrs")
