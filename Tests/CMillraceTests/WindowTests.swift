// SPDX-License-Identifier: Apache-2.0

import CMillrace
import Testing

/// Windows by one thread: it claims, publishes and consumes in an order that the test decides.
@Suite("C queue: windows behind producers that are stopped")
struct WindowTests {
    /// A queue of numbers with segments of about 400 slots. The tests claim and publish by hand.
    private final class Harness {
        let queue: QueueTests.Queue
        /// What the consumer took, in its order.
        var taken: [UInt64] = []

        init(_ queue: QueueTests.Queue) { self.queue = queue }

        convenience init() throws { self.init(try QueueTests.make(first: 16_384, largest: 16_384)) }

        deinit { millrace_queue_destroy(queue, nil, nil) }

        /// Claims slots, and leaves them unpublished.
        func claim(_ count: UInt64 = 1) throws -> [Slot] {
            var slots: [Slot] = []
            millrace_read_begin()
            defer { millrace_read_end() }
            while slots.count < Int(count) {
                var claim = millrace_claim()
                try #require(millrace_queue_claim(queue, count - UInt64(slots.count), &claim) == MILLRACE_OK)
                for index in 0..<claim.count {
                    let slot = try #require(claim.slot) + Int(index) * queue.pointee.stride
                    slots.append(Slot(bytes: slot, position: claim.position + index))
                }
            }
            return slots
        }

        func publish(_ slot: Slot, _ value: UInt64, flags: UInt64 = 0) {
            QueueTests.payload(slot.bytes, queue).storeBytes(of: value, as: UInt64.self)
            millrace_queue_publish(queue, slot.bytes, slot.position, flags)
        }

        func push(_ values: Range<UInt64>) { #expect(QueueTests.push(Array(values), to: queue) == values.count) }

        /// Takes what front returns. Returns how many slots it popped, with those that were handled before.
        @discardableResult
        func takeInTurn() -> Int {
            var popped = 0
            while let slot = millrace_queue_front(queue) {
                popped += 1
                if millrace_slot_flags(slot) & 8 != 0 {
                    millrace_queue_pop_handled(queue)
                    continue
                }
                taken.append(QueueTests.payload(slot, queue).load(as: UInt64.self))
                millrace_queue_pop(queue)
            }
            return popped
        }

        /// The slots that wait.
        var depth: UInt64 {
            millrace_queue_report(queue)
            return millrace_queue_depth(queue)
        }

        /// Opens windows until two looks in a row find none, and takes what is in them. Returns how many there were.
        @discardableResult
        func takeBehind(most: UInt64 = 1_000) -> Int {
            var (windows, misses) = (0, 0)
            while misses < 2, windows < 10_000 {
                guard millrace_queue_open_window(queue, most) else {
                    misses += 1
                    continue
                }
                takeInTurn()
                millrace_queue_close_window(queue)
                (windows, misses) = (windows + 1, 0)
            }
            return windows
        }
    }

    private struct Slot {
        let bytes: UnsafeMutablePointer<UInt8>
        let position: UInt64
    }

    @Test("the first look at a gap waits, the second goes behind it; then each slot comes once, in its place")
    func behindAGap() throws {
        let harness = try Harness()
        harness.push(0..<3)
        let gap = try harness.claim()
        harness.push(10..<15)
        #expect(harness.takeInTurn() == 3)
        #expect(millrace_queue_is_stalled(harness.queue) && millrace_queue_has_gap(harness.queue))
        #expect(millrace_queue_has_ready_behind(harness.queue))
        #expect(!millrace_queue_open_window(harness.queue, 10), "the gap is new")
        #expect(harness.takeBehind() == 1)
        #expect(harness.taken == [0, 1, 2, 10, 11, 12, 13, 14])
        #expect(millrace_queue_position(harness.queue) == 3, "the consumer's position is at the gap")
        #expect(!millrace_queue_has_ready_behind(harness.queue))
        #expect(harness.depth == 1, "the gap")
        // More comes, and the gap stays.
        harness.push(15..<17)
        #expect(harness.takeBehind() == 1)
        #expect(
            (0..<10).map { millrace_queue_is_handled(harness.queue, $0) } == [
                true, true, true, false, true, true, true, true, true, true,
            ]
        )
        harness.publish(gap[0], 3)
        #expect(harness.takeInTurn() == 8)
        #expect(harness.taken == [0, 1, 2, 10, 11, 12, 13, 14, 15, 16, 3])
        harness.push(20..<21)
        harness.takeInTurn()
        #expect(harness.taken.last == 20)
        #expect(millrace_queue_is_handled(harness.queue, 11) && !millrace_queue_is_handled(harness.queue, 12))
        #expect(!millrace_queue_is_handled(harness.queue, 1 << 40), "no segment has that position")
        harness.push(30..<33)
        #expect(harness.depth == 3)
    }

    @Test("a gap that the consumer has passed in part: its first slots are not taken again")
    func passedInPart() throws {
        let harness = try Harness()
        let gap = try harness.claim(3)
        harness.push(3..<4)
        harness.takeBehind()
        harness.publish(gap[0], 0)
        harness.takeInTurn()
        harness.push(4..<5)
        harness.takeBehind()
        #expect(harness.taken == [3, 0, 4])
        harness.publish(gap[1], 1)
        harness.publish(gap[2], 2)
        harness.takeInTurn()
        #expect(harness.taken == [3, 0, 4, 1, 2])
    }

    @Test("a gap that closes comes before all that is taken later, and an older gap before a younger one")
    func closedGapsFirst() throws {
        let harness = try Harness()
        let first = try harness.claim()
        harness.push(1..<2)
        let second = try harness.claim(3)
        harness.push(5..<6)
        harness.takeBehind()
        #expect(harness.taken == [1, 5])
        harness.push(6..<8)
        // The middle of the second gap cannot be older than its beginning: one producer published both.
        harness.publish(second[0], 2)
        harness.publish(second[1], 3)
        harness.takeBehind()
        #expect(harness.taken == [1, 5, 2, 3, 6, 7])
        harness.push(8..<9)
        harness.publish(second[2], 4)
        harness.publish(first[0], 0)
        harness.takeBehind()
        #expect(harness.taken == [1, 5, 2, 3, 6, 7, 0, 4, 8])
        harness.takeInTurn()
        #expect(harness.taken.count == 9)
        #expect(millrace_queue_position(harness.queue) == 9)
    }

    @Test("a window ends before a message, and none opens behind a message")
    func messages() throws {
        let harness = try Harness()
        let gap = try harness.claim()
        harness.push(1..<3)
        let message = try harness.claim()
        harness.push(4..<6)
        harness.publish(message[0], 3, flags: 1)
        harness.takeBehind()
        #expect(harness.taken == [1, 2])
        #expect(!millrace_queue_has_ready_behind(harness.queue))
        harness.publish(gap[0], 0)
        harness.takeInTurn()
        #expect(harness.taken == [1, 2, 0, 3, 4, 5])
    }

    @Test("a message that was a gap holds back what is behind it")
    func messageInAGap() throws {
        let harness = try Harness()
        let gap = try harness.claim()
        let message = try harness.claim()
        harness.push(2..<4)
        harness.takeBehind(most: 1)
        #expect(harness.taken == [2, 3])
        harness.push(4..<5)
        harness.publish(message[0], 1, flags: 1)
        #expect(!millrace_queue_has_ready_behind(harness.queue))
        #expect(!millrace_queue_open_window(harness.queue, 10))
        harness.publish(gap[0], 0)
        harness.takeInTurn()
        #expect(harness.taken == [2, 3, 0, 1, 4])
    }

    @Test("a window ends early where its consumer stops, and the next one goes on there")
    func partly() throws {
        let harness = try Harness()
        let gap = try harness.claim()
        harness.push(1..<6)
        #expect(!millrace_queue_open_window(harness.queue, 10))
        try #require(millrace_queue_open_window(harness.queue, 10))
        for _ in 0..<2 {
            let slot = try #require(millrace_queue_front(harness.queue))
            harness.taken.append(QueueTests.payload(slot, harness.queue).load(as: UInt64.self))
            millrace_queue_pop(harness.queue)
        }
        #expect(millrace_queue_position(harness.queue) == 3 && millrace_queue_oldest_position(harness.queue) == 0)
        millrace_queue_close_window(harness.queue)
        #expect(harness.taken == [1, 2])
        harness.takeBehind(most: 2)
        #expect(harness.taken == [1, 2, 3, 4, 5])
        harness.publish(gap[0], 0)
        harness.takeInTurn()
        #expect(harness.taken == [1, 2, 3, 4, 5, 0])
    }

    @Test("gaps at the ends of segments, thousands of slots behind them, trims; the segments are used again")
    func acrossSegments() throws {
        let harness = try Harness()
        let capacity = harness.queue.pointee.head.pointee.capacity
        harness.push(0..<capacity - 1)
        let gap = try harness.claim(3)
        harness.takeInTurn()
        let count: UInt64 = 20_000
        harness.push(capacity + 2..<count)
        #expect(!millrace_queue_open_window(harness.queue, 10), "the gap is new")
        #expect(!millrace_queue_open_window(harness.queue, 10), "so is its part in the next segment")
        let windows = harness.takeBehind(most: 256)
        #expect(windows >= Int(count / capacity), "a window ends with its segment")
        #expect(harness.taken == Array(0..<capacity - 1) + Array(capacity + 2..<count))
        millrace_queue_trim(harness.queue)
        for (index, slot) in gap.enumerated() { harness.publish(slot, capacity - 1 + UInt64(index)) }
        harness.takeInTurn()
        #expect(harness.taken.suffix(3) == [capacity - 1, capacity, capacity + 1])
        millrace_queue_report(harness.queue)
        #expect(millrace_queue_depth(harness.queue) == 0)
        millrace_queue_trim(harness.queue)
        millrace_reclaim_barrier()
        #expect(millrace_queue_segments(harness.queue) == 1)
        // Old words of the used segments are not taken for handled slots.
        harness.push(count..<count + 3 * capacity)
        harness.takeInTurn()
        #expect(harness.taken.suffix(Int(3 * capacity)) == Array(count..<count + 3 * capacity)[...])
    }

    @Test("more gaps, or larger ones, than the consumer looks at: it waits, and loses nothing")
    func tooManyGaps() throws {
        let harness = try Harness()
        var gaps: [Slot] = []
        for value: UInt64 in 0..<20 {
            gaps += try harness.claim()
            harness.push(100 + value..<101 + value)
        }
        for _ in 0..<100 { harness.takeBehind() }
        #expect(harness.taken == Array(100..<116), "sixteen gaps, and no more")
        for (value, slot) in gaps.enumerated() { harness.publish(slot, UInt64(value)) }
        harness.takeBehind()
        harness.takeInTurn()
        #expect(harness.taken.sorted() == Array(0..<20) + Array(100..<120))

        let large = try Harness()
        let slots = try large.claim(4_097)
        large.push(9_000..<9_001)
        for _ in 0..<100 { large.takeBehind() }
        #expect(large.taken.isEmpty)
        for (value, slot) in slots.enumerated() { large.publish(slot, UInt64(value)) }
        large.takeInTurn()
        #expect(large.taken == Array(0..<4_097) + [9_000])
    }

    @Test("behind a gap the consumer handles no more than the limit; then it waits")
    func limit() throws {
        let harness = try Harness()
        millrace_queue_set_most_ahead(harness.queue, 10)
        let gap = try harness.claim()
        harness.push(1..<100)
        harness.takeBehind(most: 5)
        #expect(harness.taken == Array(1..<11))
        #expect(!millrace_queue_has_ready_behind(harness.queue))
        harness.publish(gap[0], 0)
        harness.takeInTurn()
        #expect(harness.taken == Array(1..<11) + [0] + Array(11..<100))
    }

    @Test("a trim behind a gap: the consumer goes on in the next segment")
    func trimmed() throws {
        let queue = try QueueTests.make(first: 16_384, largest: 65_536)
        let harness = Harness(queue)
        while queue.pointee.head.pointee.bytes == 16_384 {
            harness.push(0..<1)
            harness.takeInTurn()
        }
        harness.taken = []
        let gap = try harness.claim()
        harness.push(1..<3)
        harness.takeBehind()
        millrace_queue_trim(queue)
        #expect(millrace_queue_skipped(queue) > 0, "the head ends behind the gap")
        harness.push(3..<6)
        #expect(millrace_queue_has_ready_behind(queue))
        harness.takeBehind()
        #expect(harness.taken == Array(1..<6))
        harness.publish(gap[0], 0)
        harness.takeInTurn()
        millrace_queue_report(queue)
        #expect(harness.taken == Array(1..<6) + [0] && millrace_queue_depth(queue) == 0)
    }

    @Test("a run that fills a gap is taken by one window, up to the end of the gap")
    func filledGap() throws {
        let harness = try Harness()
        let first = try harness.claim()
        harness.push(1..<2)
        let run = try harness.claim(5)
        harness.push(7..<8)
        harness.takeBehind()
        for (index, slot) in run.enumerated() { harness.publish(slot, 2 + UInt64(index)) }
        #expect(harness.takeBehind() == 1)
        #expect(harness.taken == [1, 7, 2, 3, 4, 5, 6])
        harness.publish(first[0], 0)
        harness.takeInTurn()
        #expect(harness.taken == [1, 7, 2, 3, 4, 5, 6, 0])
    }

    @Test("gaps that are handled do not count: there is room for others")
    func forgottenGaps() throws {
        let harness = try Harness()
        var gaps: [Slot] = []
        for value: UInt64 in 0..<16 {
            gaps += try harness.claim()
            harness.push(100 + value..<101 + value)
        }
        harness.takeBehind()
        gaps += try harness.claim()
        harness.push(200..<201)
        #expect(harness.takeBehind() == 0 && !millrace_queue_has_ready_behind(harness.queue), "too many gaps")
        harness.publish(gaps[15], 15)
        #expect(harness.takeBehind() == 2)
        #expect(harness.taken.suffix(2) == [15, 200])
        for index in 0..<15 { harness.publish(gaps[index], UInt64(index)) }
        harness.publish(gaps[16], 16)
        harness.takeInTurn()
        #expect(harness.taken.count == 34)
    }

    @Test(
        "who gives the baton back sees what came behind a gap, and a message at the front",
        arguments: [0, 1] as [UInt64]
    )
    func handOver(flags: UInt64) throws {
        let harness = try Harness()
        var baton = millrace_baton()
        let gap = try harness.claim()
        #expect(millrace_baton_try_take(&baton))
        #expect(millrace_queue_hand_over(harness.queue, &baton), "a gap that it has not met")
        #expect(millrace_baton_try_take(&baton))
        #expect(millrace_queue_is_stalled(harness.queue))
        #expect(!millrace_queue_hand_over(harness.queue, &baton), "nothing to do")
        #expect(millrace_baton_try_take(&baton))
        if flags == 0 {
            harness.push(1..<2)
        } else {
            harness.publish(gap[0], 0, flags: flags)
        }
        #expect(millrace_queue_hand_over(harness.queue, &baton))
        if flags == 0 { harness.publish(gap[0], 0) }
        harness.takeInTurn()
        #expect(harness.taken.count == (flags == 0 ? 2 : 1))
    }

    @Test("destroy does not visit what was handled")
    func destroyed() throws {
        let queue = try QueueTests.make()
        millrace_read_begin()
        var claim = millrace_claim()
        #expect(millrace_queue_claim(queue, 1, &claim) == MILLRACE_OK)
        #expect(QueueTests.push([1, 2, 3], to: queue) == 3)
        #expect(!millrace_queue_open_window(queue, 2) && millrace_queue_open_window(queue, 2))
        while millrace_queue_front(queue) != nil { millrace_queue_pop(queue) }
        millrace_queue_close_window(queue)
        let slot = try #require(claim.slot)
        millrace_queue_publish(queue, slot, claim.position, 0)
        millrace_read_end()
        var visited = 0
        withUnsafeMutablePointer(to: &visited) {
            millrace_queue_destroy(queue, { _, context in context!.assumingMemoryBound(to: Int.self).pointee += 1 }, $0)
        }
        #expect(visited == 2, "the gap, and the action behind the window")
    }
}
