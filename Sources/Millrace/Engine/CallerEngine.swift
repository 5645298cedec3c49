// SPDX-License-Identifier: Apache-2.0

import CMillrace

/// Whoever dispatched consumes until nothing is left, unless somebody does already.
enum CallerEngine {
    static func drain(_ consumer: Consumer) {
        while millrace_baton_try_take(consumer.baton), drainHolding(consumer) {}
    }

    /// With the baton, which it gives back. True: there may be more that nobody has seen.
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

    /// Gives the baton back. True: there may be more that nobody has seen. A store whose intake ended while the baton was
    /// held, too late for the holder's own look, is finished in the next turn.
    static func giveBack(_ consumer: Consumer) -> Bool {
        millrace_queue_hand_over(consumer.queue, consumer.baton) || consumer.isToFinish
    }
}
