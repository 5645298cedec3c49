// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Something that only the first who asks is given.
final class Once: Sendable {
    private let isTaken = Atomic<Bool>(false)

    func take() -> Bool {
        // Relaxed: it orders nothing, it only chooses one.
        !isTaken.exchange(true, ordering: .relaxed)
    }
}
