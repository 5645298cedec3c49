// SPDX-License-Identifier: Apache-2.0

import MillraceCombine

struct Refusal: Error {}

/// A service with a callback, and a mutable state of its own.
class Bank {
    private(set) var calls = 0

    func charge(_ total: Int, completion: @escaping (Result<Receipt, Error>) -> Void) {
        calls += 1
        completion(total > 1000 ? .failure(Refusal()) : .success(Receipt(lines: ["charged \(total)"])))
    }
}

struct World {
    let bank: Bank
    let rates: () -> AnyPublisher<Int, Error>
    let log: (String) -> Void
}
