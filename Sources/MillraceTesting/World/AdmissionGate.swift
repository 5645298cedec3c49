// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceCore

/// Lets a store of a world handle as many actions as its test has admitted. Messages need no admission.
final class AdmissionGate: @unchecked Sendable {
    // Unchecked because the variables belong to the holder of the world's token.
    fileprivate(set) var admitted = 0
    weak var host: SimulatedHost?
    /// The time that reducers get. If nil, the time of the world.
    var time: ActionTime?

    /// Whether an action waits that needs an admission.
    var isActionWaiting: Bool {
        guard let host else { return false }
        return !host.pipeline.isFinished && host.pipeline.beginsWithAction
    }

    /// Lets the store handle one more action.
    func admitOne() {
        admitted += 1
        host?.wake()
    }

    /// Takes back what was admitted and not used.
    func close() { admitted = 0 }

    /// Takes one admission. Called before an action is handled.
    func admits() -> Bool {
        guard admitted > 0 else { return false }
        admitted -= 1
        return true
    }
}

/// The effects of one middleware, for the world of its store.
struct WeakEffects {
    weak var value: (any EffectsUnderWay)?
}

extension Scheduler {
    /// The effects that run, or wait for their turn, in all stores of the world.
    var effectsUnderWay: [EffectUnderWay] { effects.flatMap { $0.value?.underWay ?? [] } }

    func cancelEffects() {
        for effects in effects { effects.value?.cancelAll() }
    }
}
