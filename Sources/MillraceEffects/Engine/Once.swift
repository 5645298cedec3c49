// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Returns true to its first caller only.
final class Once: Sendable {
    private let isTaken = Atomic<Bool>(false)

    func take() -> Bool {
        // Relaxed: it orders nothing, it only selects one caller.
        !isTaken.exchange(true, ordering: .relaxed)
    }
}
