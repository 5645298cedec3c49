// SPDX-License-Identifier: Apache-2.0

import CMillrace
import Dispatch

extension StoreCore {
    /// Starts the engine; before the store is shared. Returns what runs, which is `.caller` when the system
    /// has no thread.
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

    /// Sees to it that somebody consumes. Where the pipeline runs on the thread that dispatches, the action at
    /// `position` is finished when this returns.
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
            // Inside `withState` nothing may run that takes long, waits for readers, or ends the store: another
            // thread does it.
            drainElsewhere()
        } else {
            CallerEngine.drain(consumer)
        }
    }

    private func drainElsewhere() {
        let hasThread = StoreThread.start(name: "millrace-drain") { self.drainAsCaller() }
        // Later, then, when the system has one to give.
        if !hasThread { DispatchQueue.global().async { self.drainAsCaller() } }
    }

    /// Whether waiting here would be waiting for oneself.
    var isOwnThread: Bool { cell.isRunningHere || queueEngine?.isOnQueue == true }

    /// Whether the pipeline cannot go on before this thread does. Not on the main queue, where it goes on inline.
    var waitsForItself: Bool { queueEngine?.waitsForItself == true }

    /// Whether a timer of the engine's is set. For tests of idleness.
    var isUpkeepScheduled: Bool { queueEngine?.isUpkeepScheduled == true }

    /// No outside action is taken any more, and nobody waits for room; what is pending will be finished, then the
    /// pipeline goes. Any thread, any number of times.
    func close() {
        closeIntake()
        rouse()
    }

    /// As `close`, without finishing anything on this thread.
    func closeElsewhere() {
        closeIntake()
        if case .caller = host {
            drainElsewhere()
        } else {
            rouse()
        }
    }

    private func closeIntake() {
        _ = millrace_queue_set_mode(queue.raw, UInt32(MILLRACE_MODE_CLOSED))
        admission?.waiters.close()
    }

    /// Nothing is handled any more: after the action that runs now the rest is thrown away. Once closed. Returns at
    /// once.
    func abandon() {
        millrace_stage_ask(cell.stage, UInt32(MILLRACE_ATTENTION_ABANDON))
        closeElsewhere()
    }

    /// Has the consumer look, though nothing was pushed.
    private func rouse() {
        switch host {
        case .thread: millrace_doorbell_ring(millrace_queue_bell(queue.raw))
        case .caller: drainAsCaller()
        case .queue: queueEngine?.rouse()
        }
    }
}
