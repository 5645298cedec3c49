// SPDX-License-Identifier: Apache-2.0

import CMillrace
import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import Millrace

@Suite("Metrics", .serialized, .timeLimit(.minutes(5)))
struct MetricsTests {
    @Test("depth and high-water mark tell of a backlog, and the mark stays", arguments: engines)
    func depth(engine: StoreEngine) async {
        let held = await CapacityTests.Held(engine, .unbounded)
        held.store.dispatch(contentsOf: 1...4_999)
        #expect(held.store.metrics.depth == 5_000)
        #expect(held.store.metrics.pending == 5_000)
        #expect(held.store.metrics.highWaterMark == 5_000)
        #expect(
            held.store.core.consumer.shared.seenDepth.load(ordering: .relaxed) == 5_000,
            "the largest depth that a reader found"
        )
        held.open()
        await held.store.drain()
        #expect(await eventually { held.store.metrics.depth == 0 })
        #expect(held.store.metrics.highWaterMark >= 5_000)
        #expect(held.store.metrics.highWaterMark <= 5_001)
    }

    @Test(
        "the age of the oldest is that of the action that is held up, and zero when nothing waits",
        arguments: engines
    )
    func age(engine: StoreEngine) async throws {
        let idle = ReduxStoreBase(initialState: 0, reducer: counting(Int.self), engine: engine)
        idle.dispatch(1)
        await idle.drain()
        #expect(await eventually { idle.metrics.ageOfOldest == .zero })
        // The idle time before the action does not count.
        try await Task.sleep(for: .milliseconds(300))
        let before = ContinuousClock.now
        let held = await CapacityTests.Held(engine, .unbounded)
        _ = held.store.metrics
        try await Task.sleep(for: .milliseconds(200))
        let age = held.store.metrics.ageOfOldest
        #expect(age >= .milliseconds(190))
        #expect(age <= ContinuousClock.now - before)
        held.open()
        await held.store.drain()
        #expect(await eventually { held.store.metrics.ageOfOldest == .zero })
    }

    @Test("the idle time before a burst belongs to the age of none of its actions", arguments: engines)
    func ageAfterIdleTime(engine: StoreEngine) async throws {
        let isHeld = Shared(false)
        let store = ReduxStoreBase<Int, Int>(
            initialState: 0,
            reducer: .reduce { _, count in
                count += 1
                while isHeld.value { usleep(200) }
            },
            engine: engine
        )
        store.dispatch(1)
        await store.drain()
        try await Task.sleep(for: .milliseconds(300))
        isHeld.value = true
        let before = ContinuousClock.now
        // Elsewhere, as the thread that dispatches may be the one that is held up.
        let hasReturned = Shared(false)
        onNewThread {
            store.dispatch(contentsOf: 0..<100)
            hasReturned.value = true
        }
        #expect(await eventually { store.metrics.depth > 0 || store.metrics.pending > 0 })
        try await Task.sleep(for: .milliseconds(100))
        let age = store.metrics.ageOfOldest
        #expect(age <= ContinuousClock.now - before)
        #expect(age >= .milliseconds(50))
        isHeld.value = false
        #expect(await eventually { hasReturned.value })
        await store.drain()
    }

    @Test("the age of a backlog is that of what was dispatched first and is still there")
    func ageOfBacklog() async throws {
        // The pipeline notes arrivals at the beginning of a batch. When the machine is busy, one batch may take most of
        // the run. So there are up to five runs, and one of them has to show the age.
        var shown = false
        for _ in 0..<5 where !shown { shown = try await ageIsThatOfTheFirst() }
        #expect(shown)
    }

    /// Dispatches 200 actions of a millisecond each at once: the age grows to 200 ms and is then zero. Returns whether
    /// the age reached half of the time since the dispatch.
    private func ageIsThatOfTheFirst() async throws -> Bool {
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { _, count in
                let end = ContinuousClock.now + .milliseconds(1)
                while ContinuousClock.now < end {}
                count += 1
            },
            engine: .queue(DispatchQueue(label: "age")),
            publication: .onDemand
        )
        let start = ContinuousClock.now
        store.dispatch(contentsOf: 0..<200)
        var (oldest, latest) = (Duration.zero, Duration.zero)
        while true {
            let elapsed = ContinuousClock.now - start
            let metrics = store.metrics
            guard metrics.pending > 0 else { break }
            #expect(metrics.ageOfOldest <= ContinuousClock.now - start + .milliseconds(5))
            (oldest, latest) = (max(oldest, metrics.ageOfOldest), elapsed)
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(store.metrics.ageOfOldest == .zero)
        return latest > .zero && oldest >= latest / 2
    }

    @Test("marks give the time at which a position was reached, too early by at most a fifteenth of the backlog's time")
    func marks() {
        var marks = ArrivalMarks()
        #expect(marks.since(0) == 0)
        marks.restart(at: 100, 1_000)
        for batch in 1...10_000 as ClosedRange<UInt64> { marks.append(tail: 100 + batch * 512, 1_000 + batch * 10) }
        for position in stride(from: 100 as UInt64, through: 100 + 5_000 * 512, by: 10_000) {
            let exact = 1_000 + (position - 100) / 512 * 10
            let found = marks.since(position)
            #expect(found <= exact && exact - found <= 100_000 / 15, "\(position): \(found), not \(exact)")
        }
        marks.restart(at: 7, 5)
        #expect(marks.since(6) == 0)
        #expect(marks.since(7) == 5)
        marks.clear()
        #expect(marks.isEmpty && marks.since(9) == 0)
    }

    @Test(
        "a producer that was stopped between claim and publication is counted as stalled, and nothing is lost",
        arguments: [StoreEngine.thread(wait: .park), .queue(DispatchQueue(label: "stalled")), .caller]
    )
    func stalledProducer(engine: StoreEngine) async throws {
        let store = ReduxStoreBase(
            initialState: [],
            reducer: Reducer<Int, [Int]>.reduce { action, log in log.append(action) },
            engine: engine
        )
        store.dispatch(1)
        await store.drain()
        let before = store.metrics
        // Claims a slot now and publishes a message in it later, as a thread does that is stopped in between. A
        // dispatch publishes inside its read section. Here the section ends before, but the pipeline cannot pop an unpublished
        // slot, so its memory stays.
        let core = store.core
        var claim = millrace_claim()
        millrace_read_begin()
        let result = millrace_queue_claim(core.queue.raw.pointer, 1, &claim)
        millrace_read_end()
        let slot = try #require(result == MILLRACE_OK ? claim.slot : nil)
        // After two wake-ups the pipeline has looked at the claimed slot at least once. With `.caller` the dispatching
        // thread looks itself.
        var dispatched: UInt64 = 1
        let hasLooked = await eventually {
            store.dispatch(2)
            dispatched += 1
            return engine == .caller || store.metrics.wakeUps >= before.wakeUps + 2
        }
        #expect(hasLooked)
        #expect(await eventually { store.metrics.reduced == dispatched }, "those behind it do not wait")
        // Told while the producer is stopped: it may never go on.
        #expect(await eventually { store.metrics.stalledProducer > before.stalledProducer })
        let isDelivered = Shared(false)
        Slot.write(UnsafeMutableRawPointer(slot), message: PipelineMessage { isDelivered.value = true })
        millrace_queue_publish(core.queue.raw.pointer, slot, claim.position, Slot.message)
        core.consumer.shared.messagesOffered.add(1, ordering: .relaxed)
        store.dispatch(3)
        dispatched += 1
        await store.drain()
        #expect(isDelivered.value)
        #expect(store.state == [1] + Array(repeating: 2, count: Int(dispatched) - 2) + [3])
        expectBalance(store.metrics, offered: dispatched, reduced: dispatched)
    }

    @Test("two stores' counters add up")
    func sum() {
        var one = StoreMetrics()
        (one.offered, one.reduced, one.dropped, one.rejected, one.cancelled, one.pending) = (21, 1, 2, 3, 4, 11)
        (one.depth, one.highWaterMark, one.ageOfOldest) = (12, 40, .seconds(1))
        (one.batches, one.wakeUps, one.stalledProducer, one.queueSegments) = (5, 6, 7, 8)
        (one.urgentActions, one.internalActions, one.unmatched, one.vanished) = (31, 32, 33, 34)
        var two = one
        (two.highWaterMark, two.ageOfOldest) = (30, .seconds(2))
        let sum = one + two
        #expect(sum.offered == 42 && sum.reduced == 2 && sum.dropped == 4 && sum.rejected == 6)
        #expect(sum.cancelled == 8 && sum.pending == 22 && sum.depth == 24)
        #expect(sum.highWaterMark == 40 && sum.ageOfOldest == .seconds(2))
        #expect(sum.batches == 10 && sum.wakeUps == 12 && sum.stalledProducer == 14 && sum.queueSegments == 16)
        #expect(sum.urgentActions == 62 && sum.internalActions == 64 && sum.unmatched == 66 && sum.vanished == 68)
    }

    @Test("the high-water mark is noted by the consumer, not only by a reader of the metrics", arguments: engines)
    func highWaterMark(engine: StoreEngine) async {
        let held = await CapacityTests.Held(engine, .unbounded)
        held.store.dispatch(contentsOf: 1...4_999)
        held.open()
        await held.store.drain()
        // The 5,000 actions, and perhaps the message of the drain. The consumer looks at the depth before a batch, and
        // may have begun one before the last actions came.
        #expect((4_900...5_001).contains(held.store.metrics.highWaterMark))
    }

    @Test("a batch reports how far the consumer has come")
    func progress() {
        let core = StoreCore<Int, [Int]>(
            state: [],
            emitsValue: .always,
            publication: .onDemand,
            capacity: .unbounded,
            order: .fifo
        )
        let reducer = Reducer<Int, [Int]>.reduce { action, log in log.append(action) }
        core.install(Pipeline(middleware: IdentityMiddleware<Int, Int, [Int]>(), reducer: reducer, core: core))
        withExtendedLifetime(core) {
            [1, 2, 3].withUnsafeBufferPointer { core.take(contentsOf: $0, source: .here()) }
            #expect(core.queue.raw.consumed == 0)
            _ = withinFrame(of: core) { core.consumer.drainOnce() }
            #expect(core.queue.raw.consumed == 3)
            #expect(core.metrics.depth == 0)
        }
    }

    /// A core whose batches the test runs.
    private func makeCore() -> StoreCore<Int, Int> {
        let core = StoreCore<Int, Int>(
            state: 0,
            emitsValue: .always,
            publication: .onDemand,
            capacity: .unbounded,
            order: .fifo
        )
        core.install(
            Pipeline(middleware: IdentityMiddleware<Int, Int, Int>(), reducer: counting(Int.self), core: core)
        )
        return core
    }

    @Test("positions that a trim takes out of use do not count as actions")
    func trimmed() {
        let core = makeCore()
        withExtendedLifetime(core) {
            Array(0..<100_000).withUnsafeBufferPointer { core.take(contentsOf: $0, source: .here()) }
            withinFrame(of: core) {
                while core.consumer.drainOnce() {}
                core.queue.raw.trim()
            }
            #expect(core.queue.raw.skipped > 0)
            #expect(core.metrics.offered == 100_000 && core.metrics.pending == 0)
        }
    }

    @Test("positions that a trim takes out of use do not count as depth, even if actions waited during the trim")
    func trimmedWhileActionsWait() {
        let core = makeCore()
        withExtendedLifetime(core) {
            // Three segments, the last of them larger, so that a trim takes the rest of it out of use.
            Array(0..<520).withUnsafeBufferPointer { core.take(contentsOf: $0, source: .here()) }
            withinFrame(of: core) {
                while core.consumer.drainOnce() {}
                core.consumer.counters.pointee.highWater = 0
                Array(0..<3).withUnsafeBufferPointer { core.take(contentsOf: $0, source: .here()) }
                core.queue.raw.trim()
                // The next actions are in another segment.
                Array(0..<3).withUnsafeBufferPointer { core.take(contentsOf: $0, source: .here()) }
                while core.consumer.drainOnce() {}
            }
            #expect(core.queue.raw.skipped > 0)
            #expect(core.metrics.highWaterMark == 6)
        }
    }
}
