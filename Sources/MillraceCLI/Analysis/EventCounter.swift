// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How many events the producers have found so far, for the progress line. Each adds once a chunk.
final class EventCounter: Sendable {
    private let count = Atomic<UInt64>(0)

    /// Relaxed: the number is shown, nothing depends on it.
    var events: UInt64 { count.load(ordering: .relaxed) }

    func add(_ events: UInt64) {
        count.wrappingAdd(events, ordering: .relaxed)
    }
}
