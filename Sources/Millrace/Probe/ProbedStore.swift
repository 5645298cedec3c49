// SPDX-License-Identifier: Apache-2.0

package import MillraceCore
import Synchronization

/// A store without its types, for the code that measures it. It is the store's core, and outlives the store.
package protocol ProbedStore: AnyObject, Sendable {
    /// Sets a probe that measures one action in `interval`. The pipeline calls `body` at this place among the actions,
    /// with the number of actions finished so far. The probe is set if `body` returns true; false means that a later
    /// switch came first. Does nothing when the pipeline has ended.
    func setProbe(_ probe: any PipelineProbe, oneIn interval: Int, _ body: @escaping @Sendable (UInt64) -> Bool)

    /// Removes the probe, if it is the given one; nil removes any probe. Calls `body` as `setProbe` does.
    func removeProbe(_ probe: (any PipelineProbe)?, _ body: @escaping @Sendable (UInt64) -> Bool)

    /// Calls `body` on the pipeline's thread between two actions, with the number of actions finished so far. Returns
    /// false when the pipeline has ended.
    func perform(_ body: @escaping @Sendable (UInt64) -> Void) -> Bool

    /// Waits until a closed store's pipeline has ended, and returns the number of actions that it has finished.
    func end() async -> UInt64

    /// The number of this shard; 0 without shards.
    var shard: UInt16 { get }

    /// The names of the named middlewares, in the order in which they handle an action.
    var middlewareNames: [MiddlewareName] { get }

    /// The probe that measures the store's effects, those of plugins included.
    var effects: EffectProbeCell { get }

    /// A number that changes with the pipeline's slot and stage. 0 while the pipeline neither handles an action nor
    /// calls subscribers. Any thread.
    var glance: UInt { get }

    /// Returns the handler that the pipeline is running now. Nil when the pipeline neither handles an action nor calls
    /// subscribers, and where the kernel has no membarrier. Any thread.
    func runningHandler() -> StuckHandler?

    /// Whether the pipeline has ended.
    var isFinished: Bool { get }
}

extension StoreCore: ProbedStore {
    func setProbe(_ probe: any PipelineProbe, oneIn interval: Int, _ body: @escaping @Sendable (UInt64) -> Bool) {
        let box = ProbeBox(probe, oneIn: interval, copies: consumer.copies)
        // At once, for actions that are dispatched from here on.
        setMode(box)
        _ = send { [self] in
            if body(consumer.counters.pointee.reduced) { consumer.calls.probe = box }
            // Again, for the probe as it is now: other switches have set other modes meanwhile, and the last message
            // decides.
            setMode(consumer.probe)
        }
    }

    func removeProbe(_ probe: (any PipelineProbe)?, _ body: @escaping @Sendable (UInt64) -> Bool) {
        _ = send { [self] in
            let isThis = probe == nil || probe === consumer.probe?.base
            // Called also if another probe is set: an earlier switch that arrives later must know of this one.
            if body(consumer.counters.pointee.reduced), isThis { consumer.calls.probe = nil }
            setMode(consumer.probe)
        }
    }

    private func setMode(_ probe: ProbeBox?) {
        queue.raw.setSampling(rate: probe?.rate)
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

    var glance: UInt { cell.stage.glance }

    func runningHandler() -> StuckHandler? { consumer.stuckHandler() }

    var isFinished: Bool { consumer.isFinished }
}
