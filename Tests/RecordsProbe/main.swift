// SPDX-License-Identifier: Apache-2.0

// Prints the canonical hash of a value that is full of sets and dictionaries, then the order in which Swift's own hashes put
// a set: the second differs from process to process, the first must not.

import Foundation
import MillraceRecords

enum Side: String { case buy, sell }

struct Level {
    var price: Int
    var orders: Set<UInt64>
    var side: Side
}

struct Book {
    var levels: [String: [Int: Level]] = [:]
    var names: Set<String> = []
    var byDate: [Date: [UUID: Double]] = [:]
}

var book = Book()
for n in 0..<200 {
    let name = "symbol \(n % 17)"
    book.names.insert(name)
    book.levels[name, default: [:]][n] = Level(
        price: n * 7,
        orders: Set((0..<UInt64(n % 9)).map { $0 &* 0x9E37_79B9_7F4A_7C15 }),
        side: n % 2 == 0 ? .buy : .sell
    )
    let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(n)))
    book.byDate[Date(timeIntervalSinceReferenceDate: Double(n / 8)), default: [:]][id] = Double(n) / 3
}
print(try CanonicalHash(of: book))
print(book.names.joined(separator: ","))
