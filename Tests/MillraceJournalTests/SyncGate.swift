// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceCore
import MillraceJournal
import MillraceJournalTesting
import MillraceRecords
import Synchronization

/// A place where syncs wait while it is closed: a disk as slow as a test wants it.
final class SyncGate: Sendable {
    private let isOpen = Atomic<Bool>(true)
    private let waits = Atomic<Int>(0)
    private let permits = Atomic<Int>(0)

    /// The number of syncs that wait.
    var waiting: Int { waits.load(ordering: .acquiring) }

    func close() { isOpen.store(false, ordering: .releasing) }
    func open() { isOpen.store(true, ordering: .releasing) }

    /// Lets this number of syncs pass the closed gate.
    func letPass(_ count: Int) { permits.add(count, ordering: .acquiringAndReleasing) }

    func pass() {
        waits.add(1, ordering: .acquiringAndReleasing)
        while !isOpen.load(ordering: .acquiring), !takesPermit() { usleep(200) }
        waits.subtract(1, ordering: .acquiringAndReleasing)
    }

    private func takesPermit() -> Bool {
        if permits.subtract(1, ordering: .acquiringAndReleasing).newValue >= 0 { return true }
        permits.add(1, ordering: .acquiringAndReleasing)
        return false
    }
}

/// A journal on a disk in memory whose syncs wait at a gate.
struct SlowDisk {
    let disk = PowerCutDisk(seed: 1)
    let gate = SyncGate()

    func journal<Codec: ActionCodec>(
        _ codec: Codec,
        _ durability: Durability = .grouped,
        onFailure: JournalFailurePolicy = .stop,
        capacity: Int = 4_096
    ) -> Journal<Codec.Action> {
        SharedFolder(disk, gate: gate)
            .journal(codec, durability, onFailure: onFailure, capacity: capacity, segmentBytes: 65_536)
    }

    func journal(_ durability: Durability = .grouped) throws -> Journal<Deed> {
        journal(try BitwiseCodec(version: 1), durability)
    }
}
