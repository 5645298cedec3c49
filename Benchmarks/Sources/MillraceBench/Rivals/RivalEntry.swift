// SPDX-License-Identifier: Apache-2.0

import CxxRivals
import Millrace

/// A way to bring the workload's actions to the state, for any number of producer threads.
@MainActor
struct RivalEntry {
    let name: String
    /// How it is used, in one sentence.
    let usage: String
    /// The greatest number of producers that it allows.
    var mostProducers = Int.max
    let contender: (Setting) async throws -> Contender

    /// The threads of one comparison.
    struct Setting {
        let producers: Int
        /// The producers.
        let crew: Crew
        /// The producers, and a consumer as the last member.
        let withConsumer: Crew
        let pairing: Pairing
    }

    static let subject = store("Millrace, .thread()", .thread(), "the default engine; three middlewares")

    static var all: [RivalEntry] {
        ours + locks + queues + swiftQueues + subjects
    }

    private static let spinningName = "Millrace, .thread(latency: .lowLatency)"

    private static var ours: [RivalEntry] {
        [
            RivalEntry(name: spinningName, usage: "its thread spins; a store for each run") {
                StoreLoop.contender(spinningName, spinning: .thread(latency: .lowLatency), crew: $0.crew)
            },
            store("Millrace, .caller", .caller, "the producers reduce; published when it is read"),
        ]
    }

    private static func store(_ name: String, _ engine: StoreEngine, _ usage: String) -> RivalEntry {
        RivalEntry(name: name, usage: usage) {
            StoreLoop.contender(name, store: StoreLoop.plainStore(engine: engine), crew: $0.crew)
        }
    }

    private static var locks: [RivalEntry] {
        let place = "the state is in place under the lock, the producer reduces; no hand-over, no middlewares"
        return [
            RivalEntry(name: "Synchronization.Mutex", usage: place) { LockRival.mutex(crew: $0.crew) },
            RivalEntry(name: "Synchronization.Mutex, a switch", usage: place + "; the reducers are one inlined switch")
            {
                LockRival.mutexInline(crew: $0.crew)
            },
            RivalEntry(name: "futex lock, as os_unfair_lock", usage: place + "; 4 bytes, unfair, sleeps at once") {
                LockRival.futex(crew: $0.crew)
            },
            RivalEntry(name: "pthread_mutex", usage: place) { LockRival.pthread(crew: $0.crew) },
            RivalEntry(name: "adaptive pthread_mutex", usage: place + "; spins before it sleeps") {
                LockRival.adaptive(crew: $0.crew)
            },
        ]
    }

    private static var queues: [RivalEntry] {
        [
            RivalEntry(
                name: "condition variable mailbox",
                usage: "a mutex, a condition variable, and two arrays that the sleeping consumer swaps"
            ) { CondvarRival.contender(crew: $0.withConsumer) },
            RivalEntry(name: "locked array, spinning consumer", usage: "a pthread_mutex; the consumer swaps two arrays")
            {
                ArraySwapRival.contender(crew: $0.withConsumer)
            },
            native("moodycamel, tokens", ACTION_QUEUE_MOODYCAMEL, "C++, one element a call"),
            native(
                "moodycamel, tokens, bulk",
                ACTION_QUEUE_MOODYCAMEL_BULK,
                "C++, dequeues 256 at a time, large blocks"
            ),
            native("moodycamel, tokens, bulk, small blocks", ACTION_QUEUE_MOODYCAMEL_BLOCKS, "C++, blocks of 32"),
            native(
                "moodycamel, bulk of its producer",
                ACTION_QUEUE_MOODYCAMEL_DIRECT,
                "C++, large blocks, without the search for a producer",
                mostProducers: 1
            ),
            native("moodycamel, no tokens", ACTION_QUEUE_MOODYCAMEL_PLAIN, "C++, one element a call"),
            native("Boost.Lockfree queue", ACTION_QUEUE_BOOST, "C++, consume_all, nodes reserved"),
            native(
                "Boost.Lockfree spsc_queue",
                ACTION_QUEUE_BOOST_SINGLE,
                "C++, consume_all, for one producer",
                mostProducers: 1
            ),
            native(
                "liburcu wfcqueue",
                ACTION_QUEUE_WFCQUEUE,
                "C, inlined, a malloc for each node, the consumer splices"
            ),
        ]
    }

    /// All ways in which moodycamel's queue is used.
    static var moodycamel: [RivalEntry] { queues.filter { $0.name.hasPrefix("moodycamel") } }

    /// Returns a queue of C++ or C with the kind of consumer that is fastest for it.
    private static func native(
        _ name: String,
        _ kind: action_queue_kind,
        _ usage: String,
        mostProducers: Int = .max
    ) -> RivalEntry {
        let usage = usage + "; reduces in the same language; its best of three kinds of waiting"
        return RivalEntry(name: name, usage: usage, mostProducers: mostProducers) { setting in
            let queue = try ActionQueue(kind, producers: setting.producers)
            return try await setting.pairing.best { patience in
                queue.contender(name, crew: setting.withConsumer, patience: patience)
            }.contender
        }
    }

    private static var swiftQueues: [RivalEntry] {
        [
            RivalEntry(name: "DispatchQueue.async", usage: "a serial queue, one block for each action") {
                DispatchQueueRival.contender(crew: $0.crew)
            },
            RivalEntry(
                name: "NIO EventLoop.execute",
                usage: "a loop of the singleton group, one closure for each action"
            ) {
                EventLoopRival.contender(crew: $0.crew)
            },
            RivalEntry(name: "actor", usage: "a task for each producer awaits a method for each action") {
                ActorRival.contender(producers: $0.producers)
            },
            RivalEntry(name: "AsyncStream", usage: "unbounded; threads yield, one task reads and reduces") {
                AsyncStreamRival.contender(crew: $0.crew)
            },
            RivalEntry(name: "AsyncChannel", usage: "a task for each producer awaits send, one task reads and reduces")
            {
                AsyncChannelRival.contender(producers: $0.producers)
            },
            RivalEntry(
                name: "MultiProducerSingleConsumerAsyncChannel",
                usage: "a task and a source for each producer; watermarks 1,024 and 4,096; one task reads and reduces"
            ) { SingleConsumerChannelRival.contender(producers: $0.producers) },
        ]
    }

    private static var subjects: [RivalEntry] {
        [
            RivalEntry(
                name: "OpenCombine PassthroughSubject",
                usage: "its only subscriber reduces, under the subscription's lock; no hand-over"
            ) { OpenCombineRival.passthrough(crew: $0.crew) },
            RivalEntry(
                name: "OpenCombine CurrentValueSubject",
                usage: "the state is its value, which the producer reads, reduces and sends; no hand-over",
                mostProducers: 1
            ) { OpenCombineRival.currentValue(crew: $0.crew) },
            RivalEntry(
                name: "SwiftRex 0.8's design",
                usage: "three middlewares; reduces on the main queue",
                mostProducers: 1
            ) { SwiftRexDesignRival.contender("SwiftRex 0.8's design", crew: $0.crew, isObserved: false) },
        ]
    }
}
