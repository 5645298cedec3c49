// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Told of the effects of a store, on whatever thread they begin and end.
package protocol EffectProbe: AnyObject, Sendable {
    /// An effect begins. Returns its time, in what unit the probe likes.
    func effectBegan(_ meter: EffectMeter) -> UInt64
    /// An effect that began at that time has ended.
    func effectEnded(_ meter: EffectMeter, began: UInt64, isCancelled: Bool)
}

/// Who measures the effects of a store's middlewares, if somebody does. The meters of all its middlewares look here,
/// whenever they were made. Any thread.
@usableFromInline
package final class EffectProbeCell: Sendable {
    // Changes while the lock is held. Relaxed: decides only whether that is worth a look.
    private let isOn = Atomic<Bool>(false)
    private let current = Locked<(any EffectProbe)?>(nil)

    package init() {}

    /// Whether somebody measures: an early look.
    var isOccupied: Bool { isOn.load(ordering: .relaxed) }

    /// Who measures; nil when nobody does.
    var probe: (any EffectProbe)? { isOccupied ? current.withLock { $0 } : nil }

    /// Sets the probe.
    package func set(_ new: any EffectProbe) {
        let old = current.withLock { current in
            defer { current = new }
            isOn.store(true, ordering: .relaxed)
            return current
        }
        withExtendedLifetime(old) {}
    }

    /// Takes the probe away, if it is still the one.
    package func remove(_ old: any EffectProbe) {
        current.withLock { current in
            guard current === old else { return }
            current = nil
            isOn.store(false, ordering: .relaxed)
        }
    }
}
