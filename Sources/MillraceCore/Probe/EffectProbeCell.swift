// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Measures the effects of a store. Called on the thread on which an effect begins or ends.
package protocol EffectProbe: AnyObject, Sendable {
    /// Called when an effect begins. Returns the time, in a unit that the probe chooses.
    func effectBegan(_ meter: EffectMeter) -> UInt64
    /// Called when an effect has ended; `began` is the time that `effectBegan` returned.
    func effectEnded(_ meter: EffectMeter, began: UInt64, isCancelled: Bool)
}

/// Holds the probe that measures the effects of a store, if one is set. The meters of all the store's middlewares read
/// it, whenever they were made. Any thread.
@usableFromInline
package final class EffectProbeCell: Sendable {
    // Written while the lock is held. Relaxed: it only decides whether taking the lock is worthwhile.
    private let isOn = Atomic<Bool>(false)
    private let current = Locked<(any EffectProbe)?>(nil)

    package init() {}

    /// Whether a probe is set; a quick check without the lock.
    var isOccupied: Bool { isOn.load(ordering: .relaxed) }

    /// The probe; nil if none is set.
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

    /// Removes the probe if it is still this one.
    package func remove(_ old: any EffectProbe) {
        current.withLock { current in
            guard current === old else { return }
            current = nil
            isOn.store(false, ordering: .relaxed)
        }
    }
}
