// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Glibc
import Millrace
import Synchronization

/// Ways to bring the times at which actions were due from a producer to a consumer, which logs how late each is.
@MainActor
struct LatencyLanes {
    let timetable: Timetable

    /// A store with the engine `.thread` of this preference.
    func store(_ preference: LatencyPreference) -> LatencyContender {
        lane(".thread(latency: .\(preference))") { loop in
            let crew = try Crew(1)
            let store = ReduxStoreBase(
                initialState: 0,
                reducer: Reducer<UInt64, Int>.reduce { due, count in
                    loop.reduced(due)
                    count += 1
                },
                engine: .thread(latency: preference),
                publication: .onDemand
            )
            _ = crew.run { _ in loop.produce { _, due in store.dispatch(due) } }
            await store.drain()
        }
    }

    /// A mailbox at which the consumer sleeps.
    var mailbox: LatencyContender {
        lane("condition variable mailbox") { loop in
            let crew = try Crew(2)
            let mailbox = CondvarMailbox<UInt64>()
            _ = crew.run { member in
                if member == 0 { return loop.produce { _, due in mailbox.post(due) } }
                var taken: [UInt64] = []
                var left = loop.timetable.count
                while left > 0 {
                    mailbox.take(into: &taken)
                    for due in taken { loop.reduced(due) }
                    left -= taken.count
                    taken.removeAll(keepingCapacity: true)
                }
            }
        }
    }

    /// No queue: an array, and a consumer that sleeps on a futex.
    var futex: LatencyContender {
        lane("no queue: an array, its reader sleeps on a futex") { loop in
            guard let bell = bench_bell_create() else { throw BenchmarkError.noMemory("a futex") }
            defer { bench_bell_destroy(bell) }
            let slots = StampArray(capacity: loop.timetable.count, bell: bell)
            _ = try Crew(2).run { member in
                if member == 0 { return loop.produce { number, due in slots.ring(due, at: number) } }
                for number in 0..<loop.timetable.count {
                    let due = slots.sleepFor(number)
                    loop.reduced(due)
                }
            }
        }
    }

    /// No queue: an array, and a consumer that spins. The best that two threads on this machine can do.
    var spinning: LatencyContender {
        lane("no queue: an array, and a spinning reader") { loop in
            let slots = StampArray(capacity: loop.timetable.count)
            _ = try Crew(2).run { member in
                if member == 0 { return loop.produce { number, due in slots.write(due, at: number) } }
                for number in 0..<loop.timetable.count {
                    let due = slots.waitFor(number)
                    loop.reduced(due)
                }
            }
        }
    }

    private func lane(_ name: String, _ run: @escaping (OpenLoop) async throws -> Void) -> LatencyContender {
        LatencyContender(name: name) {
            let loop = OpenLoop(timetable)
            let began = (bench_now(), Self.processorSeconds())
            try await run(loop)
            let seconds = Double(bench_now() - began.0) / 1e9
            let all = loop.latencies
            guard all.count == timetable.count, var latencies = Latencies(all) else {
                throw BenchmarkError.wrongResult(
                    contender: name,
                    expected: "\(timetable.count)",
                    found: "\(all.count)"
                )
            }
            // Without one processor for the producer, which spins to keep its timetable.
            latencies.cpu = max(0, (Self.processorSeconds() - began.1) / seconds - 1) * 100
            latencies.stalls = loop.stalls
            return latencies
        }
    }

    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// Passes one word per slot from one thread to another, and does nothing else.
private final class StampArray: @unchecked Sendable {
    // Unchecked because each slot is written once, before the release store of `written` (or of the bell) that pairs
    // with the reader's acquire.
    private let stamps: UnsafeMutableBufferPointer<UInt64>
    private let written = Atomic<Int>(0)
    private let bell: OpaquePointer?

    init(capacity: Int, bell: OpaquePointer? = nil) {
        stamps = .allocate(capacity: capacity)
        stamps.initialize(repeating: 0)
        self.bell = bell
    }

    deinit { stamps.deallocate() }

    func write(_ stamp: UInt64, at number: Int) {
        stamps[number] = stamp
        written.store(number + 1, ordering: .releasing)
    }

    func waitFor(_ number: Int) -> UInt64 {
        while written.load(ordering: .acquiring) <= number { bench_pause() }
        return stamps[number]
    }

    func ring(_ stamp: UInt64, at number: Int) {
        stamps[number] = stamp
        if let bell { bench_bell_publish(bell, UInt64(number + 1)) }
    }

    func sleepFor(_ number: Int) -> UInt64 {
        if let bell { bench_bell_await(bell, UInt64(number)) }
        return stamps[number]
    }
}
