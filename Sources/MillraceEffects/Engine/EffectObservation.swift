// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import Synchronization

/// Reports one run to an observer and to the probe: first the beginning, then the end, even if the two come from two
/// threads.
final class EffectObservation: @unchecked Sendable {
    // Unchecked because `measured` is written before the exchange of `phase` that allows the end to be reported.
    private enum Phase {
        static let idle: UInt8 = 0
        static let begun: UInt8 = 1
        static let ended: UInt8 = 2
    }

    private static let runs = Atomic<UInt64>(0)

    private let observer: (any EffectObserver)?
    private let meter: EffectMeter?
    private var measured: EffectMeter.Run?
    // Relaxed: the numbers only have to differ.
    private let run = runs.add(1, ordering: .relaxed).newValue
    private let phase = Atomic<UInt8>(Phase.idle)

    /// Returns nil if nothing observes or measures the effect. This costs a test for nil, and in a store a load.
    static func make(_ registry: EffectRegistry?, _ binding: Unmanaged<EffectBinding>?) -> EffectObservation? {
        let isMeasured = binding?._withUnsafeGuaranteedRef { $0.isMeasuring } == true
        let isObserved = registry?.isObserved == true
        if !isMeasured, !isObserved { return nil }
        return EffectObservation(
            isObserved ? registry?.options.observer : nil,
            isMeasured ? binding?.takeUnretainedValue().meter : nil
        )
    }

    private init(_ observer: (any EffectObserver)?, _ meter: EffectMeter?) {
        self.observer = observer
        self.meter = meter
    }

    /// Reports the beginning. Returns false if the effect was cancelled in the meantime: it must not begin.
    func began(_ label: EffectLabel, _ cause: ActionCause) -> Bool {
        measured = meter?.begin()
        observer?.effectBegan(run, name: label.description, cause: cause)
        // Acquiring and releasing, pairs with the exchange below: the thread that comes second reports the end.
        let (isFirst, _) = phase.compareExchange(
            expected: Phase.idle,
            desired: Phase.begun,
            ordering: .acquiringAndReleasing
        )
        // Before the body has begun, only a cancel can end the effect.
        if !isFirst { tellEnd(wasCancelled: true) }
        return isFirst
    }

    func ended(wasCancelled: Bool) {
        guard phase.exchange(Phase.ended, ordering: .acquiringAndReleasing) == Phase.begun else { return }
        tellEnd(wasCancelled: wasCancelled)
    }

    private func tellEnd(wasCancelled: Bool) {
        measured?.end(isCancelled: wasCancelled)
        observer?.effectEnded(run, wasCancelled: wasCancelled)
    }
}
