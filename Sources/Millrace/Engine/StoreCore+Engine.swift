// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

extension StoreCore {
    /// Starts the engine, before the store is shared. Returns the engine in use: `.caller` if the system could not
    /// start a thread.
    @usableFromInline
    func start(_ engine: StoreEngine) -> StoreEngine {
        switch engine.kind {
        case .thread(let name, let wait):
            let loop = ThreadEngine(consumer: consumer, wait: wait)
            // The thread holds the core until the store is closed and everything is finished.
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
        queue.raw.bell.makeSymmetric()
        if case .thread = engine.kind { return .caller }
        return engine
    }

    /// Makes sure that a consumer runs. If this thread becomes the consumer, the action at `position` is finished when
    /// the call returns.
    @usableFromInline
    func kick(upTo position: UInt64) {
        switch host {
        case .thread: break
        case .caller: drainAsCaller()
        case .queue: queueEngine?.kick(upTo: position)
        }
    }

    private func drainAsCaller() {
        if ReadSection.isOngoing {
            // Inside `withState` no code may run that takes long or waits for readers. So another thread drains.
            drainElsewhere()
        } else {
            CallerEngine.drain(consumer)
        }
    }

    /// Lets another thread drain, unless a consumer runs or is about to run. This thread takes the baton, so only one
    /// thread is started, however many actions are dispatched before it runs.
    private func drainElsewhere() {
        guard consumer.baton.tryTake() else { return }
        let drain: @Sendable () -> Void = {
            if CallerEngine.drainHolding(self.consumer) { CallerEngine.drain(self.consumer) }
        }
        let hasThread = StoreThread.start(name: "millrace-drain", drain)
        // The dispatch queue drains later, when the system has a thread for it.
        if !hasThread { DispatchQueue.global().async(execute: drain) }
    }

    /// Whether the caller runs on the pipeline's thread or queue, the main queue included. The capacity does not apply
    /// there.
    var isOwnThread: Bool { cell.isRunningHere || queueEngine?.isOnQueue == true }

    /// Whether the pipeline cannot run until this thread returns. False on the main queue, where the pipeline runs
    /// inline.
    var waitsForItself: Bool { queueEngine?.waitsForItself == true }

    /// Whether the engine has set a timer. For tests of idleness.
    var isUpkeepScheduled: Bool { queueEngine?.isUpkeepScheduled == true }

    /// Closes the store: it accepts no more actions from outside, and producers that wait for room are resumed. The
    /// pending actions are finished, then the pipeline is released. Any thread, any number of times.
    func close() {
        closeIntake(isOnlyReference: false)
        rouse()
    }

    /// Closes the store on behalf of the store object that is being released. If this is the only reference, no
    /// producer exists, so no grace period is needed. Then, with the engine `.caller`, everything is finished when this
    /// returns, unless the call is inside `withState`.
    func closeReleased() {
        closeIntake(isOnlyReference: isHeldOnce)
        rouse()
    }

    /// Whether the caller's reference is the only one. Every thread that dispatches holds the core or the store; the
    /// thread of an engine holds the core.
    private var isHeldOnce: Bool {
        // An unmanaged reference, because a local variable would be a second reference.
        var reference = Unmanaged.passUnretained(self)
        let isOnce = withUnsafeMutablePointer(to: &reference) {
            $0.withMemoryRebound(to: StoreCore<Action, State>.self, capacity: 1) {
                isKnownUniquelyReferenced(&$0.pointee)
            }
        }
        // Acquiring: the writes of the threads that held a reference before are visible from here on.
        if isOnce { atomicMemoryFence(ordering: .acquiring) }
        return isOnce
    }

    /// Closes the store as `close` does, but never runs the pipeline on this thread.
    func closeElsewhere() {
        closeIntake(isOnlyReference: false)
        rouseElsewhere()
    }

    /// Closes the store. Ends the intake once no producer that read the mode as open can still publish. That takes as
    /// long as the longest read section of the process, so this call does not wait for it.
    private func closeIntake(isOnlyReference: Bool) {
        // Before the grace period begins: a producer that begins a push from here on finds the queue closed.
        queue.raw.close()
        admission?.waiters.close()
        guard consumer.lifecycle.close(isOnlyReference: isOnlyReference) == .waitsForProducers else { return }
        let core = Unmanaged.passRetained(self)
        GracePeriod.after {
            core._withUnsafeGuaranteedRef { $0.endIntake() }
            // Not on this thread, which all stores share: if this is the last reference, a user's destructor may block.
            DispatchQueue.global().async { core.release() }
        }
    }

    private func endIntake() {
        // Before rouseElsewhere() checks for a consumer. Pairs with Consumer.isToFinish, which the consumer reads after it
        // has given the baton back or announced its sleep.
        consumer.lifecycle.endIntake()
        rouseElsewhere()
    }

    /// Closes the store, and drops all actions after the current one. Returns at once.
    func abandon() {
        cell.stage.abandon()
        closeElsewhere()
    }

    /// Wakes the consumer, which then checks the queue and the end of the intake. Never runs the pipeline on this
    /// thread.
    private func rouseElsewhere() {
        if case .caller = host {
            drainElsewhere()
        } else {
            rouse()
        }
    }

    /// Wakes the consumer. May run the pipeline on this thread.
    private func rouse() {
        switch host {
        case .thread: queue.raw.bell.ring()
        case .caller: drainAsCaller()
        case .queue: queueEngine?.rouse()
        }
    }
}
