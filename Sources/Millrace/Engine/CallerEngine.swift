// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Runs the pipeline on the dispatching thread until nothing is left, unless another thread is running it.
final class CallerEngine: PipelineHost {
    private let consumer: Consumer
    // Not retained: the core holds this object.
    private unowned(unsafe) let core: any AnyObject & Sendable

    init(consumer: Consumer, core: any AnyObject & Sendable) {
        self.consumer = consumer
        self.core = core
    }

    package var runsOnCallers: Bool { true }

    package func kick(upTo position: UInt64) { wake() }

    package func wake() {
        if ReadSection.isOngoing {
            // Inside `withState` no code may run that takes long or waits for readers. So another thread drains.
            wakeElsewhere()
        } else {
            Self.drain(consumer)
        }
    }

    /// Lets another thread drain, unless a consumer runs or is about to run. This thread takes the baton, so only one
    /// thread is started, however many actions are dispatched before it runs.
    @inline(never)
    package func wakeElsewhere() {
        guard consumer.baton.tryTake() else { return }
        let (core, consumer) = (core, consumer)
        let drain: @Sendable () -> Void = {
            withExtendedLifetime(core) {
                if Self.drainHolding(consumer) { Self.drain(consumer) }
            }
        }
        if let world = consumer.world { return world.elsewhere("drain", drain) }
        let hasThread = StoreThread.start(name: "millrace-drain", drain)
        // The dispatch queue drains later, when the system has a thread for it.
        if !hasThread { DispatchQueue.global().async(execute: drain) }
    }

    static func drain(_ consumer: Consumer) {
        while consumer.baton.tryTake(), drainHolding(consumer) {}
    }

    /// Drains while the caller holds the baton, then gives it back. Returns true if a consumer has to run again.
    @inline(__always)
    static func drainHolding(_ consumer: Consumer) -> Bool {
        let isToFinish = consumer.asConsumer {
            repeat {
                while consumer.drainOnce() { if consumer.publishesByItself { consumer.publishAfterBatch() } }
                if consumer.isBloated { consumer.tidyIfQuiet() }
                // `publishIfDirty` calls subscribers. What they dispatch may be internal actions, hence the check
                // below.
                if consumer.counters.pointee.isDirty, consumer.publishesByItself { consumer.publishIfDirty() }
            } while consumer.hasInternal
            return consumer.isToFinish
        }
        if isToFinish { finish(consumer) }
        return giveBack(consumer)
    }

    /// A call of its own, so that a dispatch makes no room for the parts of an ended pipeline.
    @inline(never)
    private static func finish(_ consumer: Consumer) {
        let retired = consumer.asConsumer { consumer.finish() }
        consumer.end(retired)
    }

    /// Gives the baton back. Returns true if a consumer has to run again: there may be actions or messages that no
    /// consumer has seen, or the last producer of a closed store has gone since the holder's last check, so the next
    /// holder must finish the store.
    @inline(__always)
    static func giveBack(_ consumer: Consumer) -> Bool {
        consumer.queue.handOver(consumer.baton) || consumer.isToFinish || consumer.mustLookAgain
    }
}
