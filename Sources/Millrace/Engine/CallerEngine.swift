// SPDX-License-Identifier: Apache-2.0


/// Runs the pipeline on the dispatching thread until nothing is left, unless another thread is running it.
enum CallerEngine {
    static func drain(_ consumer: Consumer) {
        while consumer.baton.tryTake(), drainHolding(consumer) {}
    }

    /// Drains while the caller holds the baton, then gives it back. Returns true if there may be more that no consumer
    /// has seen.
    static func drainHolding(_ consumer: Consumer) -> Bool {
        var retired: RetiredPipeline? = consumer.asConsumer {
            while consumer.drainOnce() {}
            if consumer.queue.isBloated { _ = consumer.tidy() }
            if consumer.counters.pointee.isDirty, consumer.pacing != .onDemand { consumer.publishIfDirty() }
            return consumer.isToFinish ? consumer.finish() : nil
        }
        if let retired = retired.take() { consumer.end(retired) }
        return giveBack(consumer)
    }

    /// Gives the baton back. Returns true if there may be more that no consumer has seen. That includes the end of the
    /// intake: if it came after the holder's last check, the next holder finishes the store.
    static func giveBack(_ consumer: Consumer) -> Bool {
        consumer.queue.handOver(consumer.baton) || consumer.isToFinish
    }
}
