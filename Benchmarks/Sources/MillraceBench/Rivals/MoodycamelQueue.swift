// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import CxxRivals

/// moodycamel::ConcurrentQueue in C++. It only passes payloads of 64 bytes from thread to thread.
@MainActor
final class MoodycamelQueue {
    private nonisolated(unsafe) let queue: OpaquePointer
    // Unsafe because deinit is not isolated to an actor. No other code has the object at that time.

    init(_ variant: rival_variant, producers: Int) throws(BenchmarkError) {
        guard let queue = rival_queue_create(variant, CInt(producers)) else { throw .noMemory("a rival's queue") }
        self.queue = queue
    }

    deinit { rival_queue_destroy(queue) }

    /// Returns a contender. The last member of `crew` consumes, the others produce.
    func contender(_ name: String, crew: Crew, patience: Patience) -> Contender {
        Contender(name) { [self] operations in
            let producers = crew.size - 1
            let share = UInt64(operations / producers)
            let queue = SharedQueue(pointer: queue, total: share * UInt64(producers))
            let wait = rival_patience(enough: UInt32(patience.enough), pauses: UInt32(patience.pauses))
            let times = crew.run { member in
                if member < producers {
                    rival_queue_produce(queue.pointer, CInt(member), share)
                } else {
                    queue.sum = rival_queue_consume(queue.pointer, queue.total, wait)
                }
            }
            let expected = share * (share + 1) / 2 * UInt64(producers)
            guard queue.sum == expected else {
                throw BenchmarkError.wrongResult(
                    contender: name,
                    expected: "sum \(expected)",
                    found: "sum \(queue.sum)"
                )
            }
            return times.wall_nanoseconds
        }
    }

    private final class SharedQueue: @unchecked Sendable {
        // Unchecked because the queue is concurrent, and the sum is written by the consumer and read after the run.
        let pointer: OpaquePointer
        let total: UInt64
        var sum: UInt64 = 0

        init(pointer: OpaquePointer, total: UInt64) {
            self.pointer = pointer
            self.total = total
        }
    }
}

extension rival_variant {
    /// The name of the variant in the tables.
    var title: String {
        switch self {
        case RIVAL_TOKENS: "moodycamel, tokens"
        case RIVAL_NO_TOKENS: "moodycamel, no tokens"
        case RIVAL_BULK_DEQUEUE: "moodycamel, tokens, bulk dequeue"
        case RIVAL_BULK_LARGE_BLOCKS: "moodycamel, tokens, bulk dequeue, large blocks"
        default: "moodycamel, bulk dequeue of one producer, large blocks"
        }
    }

    static var all: [rival_variant] {
        [RIVAL_TOKENS, RIVAL_NO_TOKENS, RIVAL_BULK_DEQUEUE, RIVAL_BULK_LARGE_BLOCKS, RIVAL_BULK_OF_ITS_PRODUCER]
    }
}
