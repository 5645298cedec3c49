// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The number of events that the producers have found so far, for the progress line. Each producer adds its events once
/// per chunk.
final class EventCounter: Sendable {
    private let count = Atomic<UInt64>(0)

    /// Relaxed: the number is only shown; nothing depends on it.
    var events: UInt64 { count.load(ordering: .relaxed) }

    func add(_ events: UInt64) {
        count.wrappingAdd(events, ordering: .relaxed)
    }
}
