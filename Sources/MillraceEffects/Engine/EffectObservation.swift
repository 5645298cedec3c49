// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import Synchronization

/// Tells an observer of one run: first its beginning, then its end, though the two may come from two threads.
final class EffectObservation: Sendable {
    private enum Phase {
        static let idle: UInt8 = 0
        static let begun: UInt8 = 1
        static let ended: UInt8 = 2
    }

    private static let runs = Atomic<UInt64>(0)

    private let observer: any EffectObserver
    // Relaxed: numbers need only differ.
    private let run = runs.add(1, ordering: .relaxed).newValue
    private let phase = Atomic<UInt8>(Phase.idle)

    init(_ observer: any EffectObserver) {
        self.observer = observer
    }

    /// Tells of the beginning; false if the effect was cancelled in the meantime, and is not to begin.
    func began(_ label: EffectLabel, _ cause: ActionCause) -> Bool {
        observer.effectBegan(run, name: label.description, cause: cause)
        // Acquiring and releasing, pairs with the exchange below: whoever is second tells of the end.
        let (isFirst, _) = phase.compareExchange(
            expected: Phase.idle,
            desired: Phase.begun,
            ordering: .acquiringAndReleasing
        )
        // Only a cancel comes before the body has begun.
        if !isFirst { observer.effectEnded(run, wasCancelled: true) }
        return isFirst
    }

    func ended(wasCancelled: Bool) {
        guard phase.exchange(Phase.ended, ordering: .acquiringAndReleasing) == Phase.begun else { return }
        observer.effectEnded(run, wasCancelled: wasCancelled)
    }
}
