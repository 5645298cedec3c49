// SPDX-License-Identifier: Apache-2.0

import CMillrace

/// Runs the pipeline on the dispatching thread until nothing is left, unless another thread is running it.
enum CallerEngine {
    static func drain(_ consumer: Consumer) {
        while millrace_baton_try_take(consumer.baton), drainHolding(consumer) {}
    }

    /// Drains while the caller holds the baton, then gives it back. Returns true if there may be more that no consumer
    /// has seen.
    static func drainHolding(_ consumer: Consumer) -> Bool {
        var frame = millrace_frame()
        millrace_frame_push(&frame, consumer.identity, consumer.counters)
        while consumer.drainOnce() {}
        if millrace_queue_is_bloated(consumer.queue) { _ = consumer.tidy() }
        if consumer.counters.pointee.isDirty, consumer.pacing != .onDemand { consumer.publishIfDirty() }
        var retired: RetiredPipeline? = consumer.isToFinish ? consumer.finish() : nil
        millrace_frame_pop(&frame)
        if let retired = retired.take() { consumer.end(retired) }
        return giveBack(consumer)
    }

    /// Gives the baton back. Returns true if there may be more that no consumer has seen. That includes the end of the
    /// intake: if it came after the holder's last check, the next holder finishes the store.
    static func giveBack(_ consumer: Consumer) -> Bool {
        millrace_queue_hand_over(consumer.queue, consumer.baton) || consumer.isToFinish
    }
}
