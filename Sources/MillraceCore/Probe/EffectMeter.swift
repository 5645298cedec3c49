// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Told of the effects of a store, on whatever thread they begin and end.
package protocol EffectProbe: AnyObject, Sendable {
    /// An effect begins. Returns its time, in what unit the probe likes.
    func effectBegan(_ meter: EffectMeter) -> UInt64
    /// An effect that began at that time has ended.
    func effectEnded(_ meter: EffectMeter, began: UInt64, isCancelled: Bool)
}

/// Where the effects of one middleware are measured, while somebody does. Any thread.
package final class EffectMeter: Sendable {
    /// An effect that is being measured: whoever ends it tells.
    package struct Run: Sendable {
        fileprivate let meter: EffectMeter
        fileprivate let probe: any EffectProbe
        fileprivate let began: UInt64

        /// The effect has ended.
        package func end(isCancelled: Bool) {
            probe.effectEnded(meter, began: began, isCancelled: isCancelled)
        }
    }

    /// The name of the middleware, or of the innermost that holds it; nil if there is none.
    package let name: MiddlewareName?
    // Relaxed: decides only whether the lock is worth a look.
    private let isOn = Atomic<Bool>(false)
    private let probe = Locked<(any EffectProbe)?>(nil)

    init(name: MiddlewareName?) {
        self.name = name
    }

    /// Sets the probe, or takes this one away, if it is still the one.
    package func set(_ new: any EffectProbe) {
        let old = probe.withLock { probe in
            defer { probe = new }
            return probe
        }
        isOn.store(true, ordering: .relaxed)
        withExtendedLifetime(old) {}
    }

    package func remove(_ old: any EffectProbe) {
        probe.withLock { probe in
            guard probe === old else { return }
            probe = nil
            isOn.store(false, ordering: .relaxed)
        }
    }

    /// An effect begins; nil when nobody measures.
    package func begin() -> Run? {
        guard isOn.load(ordering: .relaxed), let probe = probe.withLock({ $0 }) else { return nil }
        return Run(meter: self, probe: probe, began: probe.effectBegan(self))
    }
}
