// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Says yes once.
final class FirstTime: Sendable {
    private let isOver = Atomic<Bool>(false)

    // Relaxed: orders nothing else.
    func now() -> Bool { !isOver.exchange(true, ordering: .relaxed) }
}
