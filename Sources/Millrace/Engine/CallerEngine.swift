// SPDX-License-Identifier: Apache-2.0

import CMillrace

/// Whoever dispatched consumes until nothing is left, unless somebody does already.
enum CallerEngine {
    static func drain(_ consumer: Consumer) {
        repeat {
            guard millrace_baton_try_take(consumer.baton) else { return }
            var frame = millrace_frame()
            millrace_frame_push(&frame, consumer.identity)
            while consumer.drainOnce() {}
            if millrace_queue_is_bloated(consumer.queue) { _ = consumer.tidy() }
            if consumer.books.pointee.isDirty, consumer.pacing != .onDemand { consumer.publishIfDirty() }
            guard consumer.isClosed, !consumer.isFinished else {
                millrace_frame_pop(&frame)
                continue
            }
            let remains = consumer.finish()
            millrace_frame_pop(&frame)
            consumer.end(consume remains)
            // A store that is closed while we hold the baton, too late for the look above, is finished in the next
            // turn.
        } while millrace_queue_hand_over(consumer.queue, consumer.baton) || (consumer.isClosed && !consumer.isFinished)
    }
}
