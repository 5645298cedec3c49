// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import CxxRivals

/// A queue in C++ or C that carries the workload's actions to a consumer, which reduces them in the same language.
@MainActor
final class ActionQueue {
    private nonisolated(unsafe) let queue: OpaquePointer
    // Unsafe because deinit is not isolated to an actor. No other code has the object at that time.

    init(_ kind: action_queue_kind, producers: Int) throws(BenchmarkError) {
        guard let queue = action_queue_create(kind, CInt(producers)) else { throw .noMemory("a rival's queue") }
        self.queue = queue
    }

    deinit { action_queue_destroy(queue) }

    /// Returns a contender. The last member of `crew` consumes, the others produce.
    func contender(_ name: String, crew: Crew, patience: Patience) -> Contender {
        Contender(name) { [self] operations in
            let producers = crew.size - 1
            let share = operations / producers
            let consumed = Consumed(queue)
            let wait = rival_patience(enough: UInt32(patience.enough), pauses: UInt32(patience.pauses))
            let times = crew.run { member in
                if member < producers {
                    action_queue_produce(consumed.queue, CInt(member), UInt64(share))
                } else {
                    action_queue_consume(consumed.queue, UInt64(share * producers), wait, &consumed.sums)
                }
            }
            var after = AppState()
            after.count = Int(consumed.sums.count)
            after.ticks = Int(consumed.sums.ticks)
            try StateChange(from: AppState(), to: after).check(
                StateChange(actions: share, producers: producers),
                of: name
            )
            return times.wall_nanoseconds
        }
    }

    private final class Consumed: @unchecked Sendable {
        // Unchecked because the queue is concurrent, and the sums are written by the consumer and read after the run.
        let queue: OpaquePointer
        var sums = action_sums(count: 0, ticks: 0)

        init(_ queue: OpaquePointer) { self.queue = queue }
    }
}
