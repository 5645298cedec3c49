// SPDX-License-Identifier: Apache-2.0

import CMillrace
package import MillraceCore
import Synchronization

/// A store without its types, for what measures it: a store's core. It outlives the store.
package protocol ProbedStore: AnyObject, Sendable {
    /// Sets the probe, which is told of one action in so many; `body` is called with the number of actions finished
    /// so far, at that place in the order. Nothing when the store is closed.
    func setProbe(_ probe: any PipelineProbe, oneIn interval: Int, _ body: @escaping @Sendable (UInt64) -> Void)

    /// Takes the probe away, if it is this one; nil: whichever it is.
    func removeProbe(_ probe: (any PipelineProbe)?, _ body: @escaping @Sendable (UInt64) -> Void)

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
    func setProbe(_ probe: any PipelineProbe, oneIn interval: Int, _ body: @escaping @Sendable (UInt64) -> Void) {
        let box = ProbeBox(probe, oneIn: interval)
        // Now, for what is dispatched from here on.
        setMode(box)
        _ = send { [self] in
            consumer.probe = box
            // Again: of several switches under way, the last one to arrive decides.
            setMode(box)
            body(consumer.books.pointee.reduced)
        }
    }

    func removeProbe(_ probe: (any PipelineProbe)?, _ body: @escaping @Sendable (UInt64) -> Void) {
        _ = send { [self] in
            guard probe == nil || probe === consumer.probe?.base else { return }
            consumer.probe = nil
            setMode(nil)
            body(consumer.books.pointee.reduced)
        }
    }

    private func setMode(_ probe: ProbeBox?) {
        let rate = (probe?.rate ?? 0) << UInt32(MILLRACE_MODE_RATE_AT)
        let bits = probe == nil ? 0 : UInt32(MILLRACE_MODE_STAMPING) | rate
        _ = millrace_queue_clear_mode(queue.raw, (UInt32(MILLRACE_MODE_STAMPING) | MILLRACE_MODE_RATE) & ~bits)
        _ = millrace_queue_set_mode(queue.raw, bits)
    }

    func perform(_ body: @escaping @Sendable (UInt64) -> Void) -> Bool {
        send { [self] in body(consumer.books.pointee.reduced) }
    }

    func end() async -> UInt64 {
        await consumer.completion.wait()
        return consumer.shared.reduced.load(ordering: .acquiring)
    }

    var middlewareNames: [MiddlewareName] { consumer.namedMiddlewares().map(\.name) }

    var effects: EffectProbeCell { consumer.effects }

    var glance: UInt { UInt(millrace_stage_glance(cell.stage)) }

    func runningHandler() -> StuckHandler? { consumer.stuckHandler() }

    var isFinished: Bool { consumer.isFinished }
}
