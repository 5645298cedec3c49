// SPDX-License-Identifier: Apache-2.0

import CMillrace
import Dispatch
import Synchronization

extension StoreCore {
    /// Starts the engine, before the store is shared. Returns the engine in use: `.caller` if the system had no thread.
    @usableFromInline
    func start(_ engine: StoreEngine) -> StoreEngine {
        switch engine.kind {
        case .thread(let name, let wait):
            let loop = ThreadEngine(consumer: consumer, wait: wait)
            // The thread holds the core, until the store is closed and all is done.
            let started = StoreThread.start(name: name ?? "millrace") { withExtendedLifetime(self) { loop.run() } }
            if started { return engine }
            host = .caller
        case .caller:
            host = .caller
        case .queue(let queue):
            queueEngine = QueueEngine(consumer: consumer, core: self, queue: queue.value)
            host = .queue
        case .main:
            queueEngine = QueueEngine(consumer: consumer, core: self)
            host = .queue
        }
        needsKick = true
        // The baton's handshake needs the full barrier on the producer's side.
        millrace_queue_bell(queue.raw).pointee.asymmetric = 0
        if case .thread = engine.kind { return .caller }
        return engine
    }

    /// Sees to it that somebody consumes. Where this thread becomes the consumer, the action at `position` is finished
    /// when this returns.
    @usableFromInline
    func kick(upTo position: UInt64) {
        switch host {
        case .thread: break
        case .caller: drainAsCaller()
        case .queue: queueEngine?.kick(upTo: position)
        }
    }

    private func drainAsCaller() {
        if millrace_read_ongoing() {
            // Inside `withState` nothing may run that takes long or waits for readers: another thread does it.
            drainElsewhere()
        } else {
            CallerEngine.drain(consumer)
        }
    }

    /// Has another thread drain, unless somebody does or is about to: the baton is held from here on, so that one thread
    /// is started, however many actions are dispatched until it runs.
    private func drainElsewhere() {
        guard millrace_baton_try_take(consumer.baton) else { return }
        let drain: @Sendable () -> Void = {
            if CallerEngine.drainHolding(self.consumer) { CallerEngine.drain(self.consumer) }
        }
        let hasThread = StoreThread.start(name: "millrace-drain", drain)
        // Later, then, when the system has one to give.
        if !hasThread { DispatchQueue.global().async(execute: drain) }
    }

    /// Whether this is the pipeline's thread or queue, main included: such a caller is not bounded.
    var isOwnThread: Bool { cell.isRunningHere || queueEngine?.isOnQueue == true }

    /// Whether the pipeline cannot run until this thread returns. False on the main queue, where it runs inline.
    var waitsForItself: Bool { queueEngine?.waitsForItself == true }

    /// Whether a timer of the engine's is set. For tests of idleness.
    var isUpkeepScheduled: Bool { queueEngine?.isUpkeepScheduled == true }

    /// No outside action is taken any more, and nobody waits for room; what is pending will be finished, then the
    /// pipeline is released. Any thread, any number of times.
    func close() {
        closeIntake(isOnlyReference: false)
        rouse()
    }

    /// As `close`, by the store that is being released. If this is the only reference, no producer exists, so no grace
    /// period is needed: with the engine `.caller` all is finished when this returns, unless it is inside `withState`.
    func closeReleased() {
        closeIntake(isOnlyReference: isHeldOnce)
        rouse()
    }

    /// Whether the caller's reference is the only one. Whoever dispatches holds the core or the store. The thread of an
    /// engine holds it, too.
    private var isHeldOnce: Bool {
        // Seen through an unmanaged reference, as a local variable would be a second one.
        var reference = Unmanaged.passUnretained(self)
        let isOnce = withUnsafeMutablePointer(to: &reference) {
            $0.withMemoryRebound(to: StoreCore<Action, State>.self, capacity: 1) {
                isKnownUniquelyReferenced(&$0.pointee)
            }
        }
        // What those did who held it before is seen from here on.
        if isOnce { atomicMemoryFence(ordering: .acquiring) }
        return isOnce
    }

    /// As `close`, but never runs the pipeline on this thread.
    func closeElsewhere() {
        closeIntake(isOnlyReference: false)
        rouseElsewhere()
    }

    /// Closes, and ends the intake once no producer that read the mode as open can still publish. That takes as long as
    /// the longest read section of the process, so nobody waits for it here.
    private func closeIntake(isOnlyReference: Bool) {
        // Before the grace period begins: a producer that begins a push from here on finds the queue closed.
        _ = millrace_queue_set_mode(queue.raw, UInt32(MILLRACE_MODE_CLOSED))
        admission?.waiters.close()
        guard consumer.lifecycle.close(isOnlyReference: isOnlyReference) == .waitsForProducers else { return }
        let core = Unmanaged.passRetained(self)
        GracePeriod.after {
            core._withUnsafeGuaranteedRef { $0.endIntake() }
            // Not here: were this the last reference, a destructor of the user's could hold up the ends of all stores.
            DispatchQueue.global().async { core.release() }
        }
    }

    private func endIntake() {
        // Before the look at who consumes: pairs with Consumer.isToFinish, which the consumer reads after it has given its
        // role away.
        consumer.lifecycle.endIntake()
        rouseElsewhere()
    }

    /// Closes the store and discards all actions after the current one. Returns at once.
    func abandon() {
        millrace_stage_ask(cell.stage, UInt32(MILLRACE_ATTENTION_ABANDON))
        closeElsewhere()
    }

    /// Wakes the consumer, which then looks at its state; never runs the pipeline on this thread.
    private func rouseElsewhere() {
        if case .caller = host {
            drainElsewhere()
        } else {
            rouse()
        }
    }

    /// The same, maybe on this thread.
    private func rouse() {
        switch host {
        case .thread: millrace_doorbell_ring(millrace_queue_bell(queue.raw))
        case .caller: drainAsCaller()
        case .queue: queueEngine?.rouse()
        }
    }
}
