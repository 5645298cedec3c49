// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A flag that returns true once.
final class FirstTime: Sendable {
    private let isOver = Atomic<Bool>(false)

    // Relaxed: the flag orders no other memory.
    func now() -> Bool { !isOver.exchange(true, ordering: .relaxed) }
}
