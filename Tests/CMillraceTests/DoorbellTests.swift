// SPDX-License-Identifier: Apache-2.0

import CMillrace
import Glibc
import TestSupport
import Testing

@Suite("C doorbell, baton, gate, clock", .serialized, .timeLimit(.minutes(5)))
struct DoorbellTests {
    /// Two threads that wake each other in turn; each waits for the other's word.
    final class PingPong: @unchecked Sendable {
        // Unchecked: the words and bells are atomics behind pointers.
        let queues: [UnsafeMutablePointer<millrace_queue>]
        /// Far more than a wake-up takes on a busy machine, and short enough to wait for when one is lost.
        private static let patience: UInt64 = 10_000_000_000

        init(asymmetric: Bool) throws {
            queues = try (0..<2).map { _ in
                let queue = try QueueTests.make()
                if !asymmetric { millrace_queue_bell(queue).pointee.asymmetric = 0 }
                return queue
            }
        }
        deinit { for queue in queues { millrace_queue_destroy(queue, nil, nil) } }

        /// Waits for one message, as an engine does; false when it did not come in time.
        func receive(_ index: Int) -> Bool {
            let queue = queues[index]
            let begin = millrace_clock_monotonic()
            while millrace_queue_front(queue) == nil {
                millrace_doorbell_prepare(millrace_queue_bell(queue))
                if millrace_queue_has_ready(queue) {
                    millrace_doorbell_cancel(millrace_queue_bell(queue))
                } else if !millrace_doorbell_wait(millrace_queue_bell(queue), Self.patience),
                    // Not if a ringer of the wait before, held up before its system call, woke this one: that is early.
                    millrace_clock_monotonic() - begin >= Self.patience
                {
                    return false
                }
            }
            millrace_queue_pop(queue)
            return true
        }
    }

    @Test("a fork looks at no doorbell that is not watched any more", .disabled(if: isSanitized), arguments: 0..<3)
    func unwatched(place: Int) throws {
        let size = Int(sysconf(Int32(_SC_PAGESIZE)))
        let page = try #require(mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
        let others = UnsafeMutablePointer<millrace_doorbell>.allocate(capacity: 2)
        var bells = [others, others + 1]
        bells.insert(page.assumingMemoryBound(to: millrace_doorbell.self), at: place)
        for bell in bells {
            millrace_doorbell_init(bell)
            millrace_doorbell_watch(bell, nil)
        }
        millrace_doorbell_unwatch(bells.remove(at: place))
        mprotect(page, size, PROT_NONE)
        let child = ForkedChild {}
        #expect(child.signal == 0, "\(child)")
        for bell in bells { millrace_doorbell_unwatch(bell) }
        others.deallocate()
        munmap(page, size)
    }

    @Test("a wake-up is never lost, with either handshake", arguments: [true, false])
    func pingPong(asymmetric: Bool) throws {
        let game = try PingPong(asymmetric: asymmetric)
        let rounds = isSanitized ? 5_000 : 50_000
        final class Outcome: @unchecked Sendable { var lost = [0, 0] }  // each thread writes its own
        let outcome = Outcome()
        onThreads(2) { thread in
            for _ in 0..<rounds {
                if thread == 0 { _ = QueueTests.push([1], to: game.queues[1]) }
                if !game.receive(thread) {
                    outcome.lost[thread] += 1
                    return
                }
                if thread == 1 { _ = QueueTests.push([1], to: game.queues[0]) }
            }
        }
        #expect(outcome.lost == [0, 0])
        // One system call an idle-to-busy change, not more.
        for queue in game.queues { #expect(millrace_doorbell_wakeups(millrace_queue_bell(queue)) <= UInt64(rounds)) }
    }

    @Test("waiting ends when the time has run out")
    func timeOut() throws {
        let queue = try QueueTests.make()
        defer { millrace_queue_destroy(queue, nil, nil) }
        let start = millrace_clock_monotonic()
        millrace_doorbell_prepare(millrace_queue_bell(queue))
        #expect(!millrace_doorbell_wait(millrace_queue_bell(queue), 20_000_000))
        #expect(millrace_clock_monotonic() - start >= 20_000_000)
    }

    @Test("the baton is held by one thread at a time, and no work is left behind")
    func baton() throws {
        final class Counter: @unchecked Sendable { var popped = 0 }  // under the baton
        let queue = try QueueTests.make()
        millrace_queue_bell(queue).pointee.asymmetric = 0
        let baton = UnsafeMutablePointer<millrace_baton>.allocate(capacity: 1)
        baton.initialize(to: millrace_baton())
        let counter = Counter()
        nonisolated(unsafe) let (sharedQueue, sharedBaton) = (queue, baton)
        let (threads, each) = (4, isSanitized ? 10_000 : 50_000)
        onThreads(threads) { _ in
            for _ in 0..<each {
                _ = QueueTests.push([1], to: sharedQueue)
                repeat {
                    guard millrace_baton_try_take(sharedBaton) else { break }
                    millrace_queue_consumer_enter(sharedQueue)
                    while millrace_queue_front(sharedQueue) != nil {
                        millrace_queue_pop(sharedQueue)
                        counter.popped += 1
                    }
                } while millrace_queue_hand_over(sharedQueue, sharedBaton)
            }
        }
        #expect(counter.popped == threads * each)
        #expect(millrace_queue_front(queue) == nil)
        millrace_queue_destroy(queue, nil, nil)
        baton.deallocate()
    }

    @Test("a gate holds until it is opened")
    func gate() {
        let gate = UnsafeMutablePointer<millrace_gate>.allocate(capacity: 1)
        gate.initialize(to: millrace_gate())
        nonisolated(unsafe) let shared = gate
        final class Value: @unchecked Sendable { var value = 0 }  // written before the gate opens, read after
        let value = Value()
        onThreads(3) { thread in
            if thread == 0 {
                usleep(10_000)
                value.value = 1
                millrace_gate_open(shared)
            } else {
                millrace_gate_wait(shared)
                if value.value != 1 { Issue.record("passed a closed gate") }
            }
        }
        gate.deallocate()
    }

    @Test("ticks and nanoseconds agree with the monotonic clock")
    func clock() {
        _ = millrace_clock_nanoseconds(1)  // calibrates
        let (ticks, monotonic) = (millrace_clock_ticks(), millrace_clock_monotonic())
        usleep(100_000)
        let elapsed = millrace_clock_nanoseconds(millrace_clock_ticks() - ticks)
        let expected = millrace_clock_monotonic() - monotonic
        #expect(abs(Double(elapsed) / Double(expected) - 1) < 0.01)
        for nanoseconds: UInt64 in [1_000, 1_000_000, 1_000_000_000] {
            let there = millrace_clock_nanoseconds(millrace_clock_from_nanoseconds(nanoseconds))
            #expect(abs(Double(there) / Double(nanoseconds) - 1) < 0.01)
        }
    }

    @Test("a consumer that stayed awake is not woken")
    func staysAwake() throws {
        let queue = try QueueTests.make()
        defer { millrace_queue_destroy(queue, nil, nil) }
        let bell = millrace_queue_bell(queue)
        millrace_doorbell_prepare(bell)
        millrace_doorbell_cancel(bell)
        millrace_doorbell_ring(bell)
        #expect(millrace_doorbell_wakeups(bell) == 0)
        millrace_doorbell_prepare(bell)
        millrace_doorbell_ring(bell)
        #expect(millrace_doorbell_wakeups(bell) == 1)
    }

    @Test("a consumer that sleeps without a limit is woken")
    func wakes() async throws {
        let queue = try QueueTests.make()
        nonisolated(unsafe) let bell = millrace_queue_bell(queue)
        let (sleeps, isAwake) = (Shared(false), Shared(false))
        onNewThread {
            millrace_doorbell_prepare(bell)
            sleeps.value = true
            _ = millrace_doorbell_wait(bell, 0)
            isAwake.value = true
        }
        #expect(await eventually { sleeps.value })
        // It has made its system call by now, most likely.
        try await Task.sleep(for: .milliseconds(20))
        millrace_doorbell_ring(bell)
        try #require(await eventually { isAwake.value })
        millrace_queue_destroy(queue, nil, nil)
    }

    @Test("a wait for a gate ends with its time, and says whether the gate is open")
    func gateWithLimit() {
        let gate = UnsafeMutablePointer<millrace_gate>.allocate(capacity: 1)
        gate.initialize(to: millrace_gate())
        #expect(!millrace_gate_wait_for(gate, 0))
        #expect(!millrace_gate_wait_for(gate, 2_000_000))
        millrace_gate_open(gate)
        #expect(millrace_gate_wait_for(gate, 0))
        gate.deallocate()
    }

    @Test("all who wait at a gate go on when it opens")
    func gateOfMany() async throws {
        let gate = UnsafeMutablePointer<millrace_gate>.allocate(capacity: 1)
        gate.initialize(to: millrace_gate())
        nonisolated(unsafe) let shared = gate
        let (arrived, passed) = (Shared(0), Shared(0))
        for _ in 0..<3 {
            onNewThread {
                arrived.update { $0 += 1 }
                millrace_gate_wait(shared)
                passed.update { $0 += 1 }
            }
        }
        #expect(await eventually { arrived.value == 3 })
        // They wait by now, most likely.
        try await Task.sleep(for: .milliseconds(20))
        millrace_gate_open(gate)
        try #require(await eventually { passed.value == 3 })
        gate.deallocate()
    }
}
