// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import OrderBookModel

let apple = Symbol.generated(2)[0]
let bread = Symbol.generated(2)[1]

extension Book {
    /// A book after some actions.
    init(limits: Limits = Limits(), after actions: [BookAction]) {
        self.init(limits: limits)
        for action in actions { Book.reducer.reduce(action, &self) }
    }
}

extension BookAction {
    static func buy(_ id: UInt64, _ size: Int32, at price: Int32, _ account: Account = .other) -> BookAction {
        .place(Order(id: id, .buy, size: size, price: price, account: account))
    }

    static func sell(_ id: UInt64, _ size: Int32, at price: Int32, _ account: Account = .other) -> BookAction {
        .place(Order(id: id, .sell, size: size, price: price, account: account))
    }
}

/// A folder that is removed with this value.
final class Folder {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("order-book-test-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}

/// The lines of a file; none if there is no file.
func lines(_ path: String) -> [String] {
    guard let data = FileManager.default.contents(atPath: path) else { return [] }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
}
