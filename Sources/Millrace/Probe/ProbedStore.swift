// SPDX-License-Identifier: Apache-2.0

import CMillrace
package import MillraceCore
import Synchronization

/// A store without its types, for what measures it: a store's core. It outlives the store.
package protocol ProbedStore: AnyObject, Sendable {
    /// Sets the probe, which is told of one action in so many. `body` is called at that place in the order with the
    /// number of actions finished so far, and says whether it is to be set: false when a later switch has come before.
    /// Nothing when the store is closed.
    func setProbe(_ probe: any PipelineProbe, oneIn interval: Int, _ body: @escaping @Sendable (UInt64) -> Bool)

    /// Takes the probe away, if it is this one; nil: whichever it is. `body` as for `setProbe`.
    func removeProbe(_ probe: (any PipelineProbe)?, _ body: @escaping @Sendable (UInt64) -> Bool)

    /// Calls `body` on the pipeline's thread between two actions, with the number of actions finished so far. False
    /// when the store is closed.
    func perform(_ body: @escaping @Sendable (UInt64) -> Void) -> Bool

    /// Waits until a closed store's pipeline has gone, and returns the number of actions it has finished.
    func end() async -> UInt64

    /// The names of the named middlewares, in the order in which they handle.
    var middlewareNames: [MiddlewareName] { get }

    /// Who measures its effects, those of plugins included.
    var effects: EffectProbeCell { get }

    /// Changes with what the pipeline is doing; 0 between two actions. Any thread.
    var glance: UInt { get }

    /// What the pipeline is doing now; nil between two actions, and where the kernel cannot tell. Any thread.
    func runningHandler() -> StuckHandler?

    /// Whether the pipeline has gone.
    var isFinished: Bool { get }
}

extension StoreCore: ProbedStore {
    func setProbe(_ probe: any PipelineProbe, oneIn interval: Int, _ body: @escaping @Sendable (UInt64) -> Bool) {
        let box = ProbeBox(probe, oneIn: interval)
        // Now, for what is dispatched from here on.
        setMode(box)
        _ = send { [self] in
            if body(consumer.counters.pointee.reduced) { consumer.probe = box }
            // Again, as the probe is now: switches under way have set other modes, and the last one to arrive decides.
            setMode(consumer.probe)
        }
    }

    func removeProbe(_ probe: (any PipelineProbe)?, _ body: @escaping @Sendable (UInt64) -> Bool) {
        _ = send { [self] in
            let isThis = probe == nil || probe === consumer.probe?.base
            // Told also where the probe is not set: a switch from before this one that arrives later must know of it.
            if body(consumer.counters.pointee.reduced), isThis { consumer.probe = nil }
            setMode(consumer.probe)
        }
    }

    private func setMode(_ probe: ProbeBox?) {
        let rate = (probe?.rate ?? 0) << UInt32(MILLRACE_MODE_RATE_AT)
        let bits = probe == nil ? 0 : UInt32(MILLRACE_MODE_STAMPING) | rate
        _ = millrace_queue_clear_mode(queue.raw, (UInt32(MILLRACE_MODE_STAMPING) | MILLRACE_MODE_RATE) & ~bits)
        _ = millrace_queue_set_mode(queue.raw, bits)
    }

    func perform(_ body: @escaping @Sendable (UInt64) -> Void) -> Bool {
        send { [self] in body(consumer.counters.pointee.reduced) }
    }

    func end() async -> UInt64 {
        await consumer.completion.wait()
        return consumer.shared.reduced.load(ordering: .acquiring)
    }

    var middlewareNames: [MiddlewareName] { (consumer.names?.middlewares() ?? []).map(\.name) }

    var effects: EffectProbeCell { consumer.effects }

    var glance: UInt { UInt(millrace_stage_glance(cell.stage)) }

    func runningHandler() -> StuckHandler? { consumer.stuckHandler() }

    var isFinished: Bool { consumer.isFinished }
}
