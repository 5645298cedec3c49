// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceRecords

enum CartAction: BitwiseCopyable, Sendable, Equatable {
    case added(article: Int32, cents: Int32)
    case removed(article: Int32)
    case emptied
}

struct Cart: Codable, Sendable, Equatable {
    var cents: [Int32: Int32] = [:]
    var changes = 0
}

let cartReducer = Reducer<CartAction, Cart>.reduce { action, cart in
    cart.changes += 1
    switch action {
    case .added(let article, let cents): cart.cents[article, default: 0] += cents
    case .removed(let article): cart.cents[article] = nil
    case .emptied: cart.cents = [:]
    }
}

func cartActions() throws -> BitwiseCodec<CartAction> { try BitwiseCodec(version: 1) }
func cartStates() throws -> CodableCodec<Cart> { try CodableCodec(version: 1) }

/// The action with a number; they are the same in every run.
func cartAction(_ number: Int) -> CartAction {
    switch number % 11 {
    case 3: .removed(article: Int32(number % 5))
    case 10 where number % 7 == 0: .emptied
    default: .added(article: Int32(number % 9), cents: Int32(number % 100))
    }
}
