// SPDX-License-Identifier: Apache-2.0

import CMillrace
import Glibc
import Synchronization
import Testing

/// The queue by one thread: every way through it, in an order that the test decides.
@Suite("C queue", .serialized)
struct QueueTests {
    typealias Queue = UnsafeMutablePointer<millrace_queue>

    static func make(
        size: Int = 8,
        alignment: Int = 8,
        first: Int = 0,
        largest: Int = 0,
        map: millrace_map_function? = nil
    ) throws -> Queue {
        let options = millrace_queue_options(
            action_size: size,
            action_alignment: alignment,
            first_bytes: first,
            largest_bytes: largest,
            map: map
        )
        var queue: Queue?
        try #require(millrace_queue_create(options, &queue) == MILLRACE_OK)
        return try #require(queue)
    }

    /// Claims room for values, writes them, publishes them. Returns how many there was memory for.
    static func push(_ values: [UInt64], to queue: Queue) -> Int {
        millrace_read_begin()
        defer { millrace_read_end() }
        var done = 0
        while done < values.count {
            var claim = millrace_claim()
            guard millrace_queue_claim(queue, UInt64(values.count - done), &claim) == MILLRACE_OK else { return done }
            for index in 0..<Int(claim.count) {
                let slot = claim.slot! + index * queue.pointee.stride
                payload(slot, queue).storeBytes(of: values[done + index], as: UInt64.self)
                millrace_queue_publish(queue, slot, claim.position + UInt64(index), 0)
            }
            done += Int(claim.count)
        }
        return done
    }

    static func payload(_ slot: UnsafeMutablePointer<UInt8>, _ queue: Queue) -> UnsafeMutableRawPointer {
        UnsafeMutableRawPointer(slot + queue.pointee.payload_offset)
    }

    static func popAll(_ queue: Queue) -> [UInt64] {
        var values: [UInt64] = []
        while let slot = millrace_queue_front(queue) {
            values.append(payload(slot, queue).load(as: UInt64.self))
            millrace_queue_pop(queue)
        }
        millrace_queue_report(queue)
        return values
    }

    @Test("batches of every size keep their order, also across segments", arguments: [8, 1_000, 20_000])
    func batches(size: Int) throws {
        let queue = try Self.make(size: size, first: 16_384, largest: 65_536)
        defer { millrace_queue_destroy(queue, nil, nil) }
        var next: UInt64 = 0
        var popped: UInt64 = 0
        for count: UInt64 in [1, 2, 3, 170, 171, 500, 1, 64] {
            #expect(Self.push(Array(next..<next + count), to: queue) == Int(count))
            next += count
            if count % 2 == 0 { continue }  // the next batch finds these before it
            #expect(Self.popAll(queue) == Array(popped..<next))
            popped = next
        }
        #expect(Self.popAll(queue) == Array(popped..<next))
        #expect(millrace_queue_claimed(queue) == next)
        #expect(millrace_queue_consumed(queue) == next)
    }

    @Test("payloads are aligned as asked", arguments: [1, 8, 16, 64, 256, 4096])
    func alignments(alignment: Int) throws {
        let queue = try Self.make(size: alignment, alignment: alignment)
        defer { millrace_queue_destroy(queue, nil, nil) }
        for value in 0..<50 { #expect(Self.push([UInt64(value)], to: queue) == 1) }
        while let slot = millrace_queue_front(queue) {
            #expect(UInt(bitPattern: Self.payload(slot, queue)) % UInt(alignment) == 0)
            millrace_queue_pop(queue)
        }
    }

    @Test("arguments that make no sense are refused", arguments: [(8, 3), (8, 8192), (Int.max / 8, 8)])
    func invalidArguments(size: Int, alignment: Int) {
        var queue: Queue?
        let options = millrace_queue_options(
            action_size: size,
            action_alignment: alignment,
            first_bytes: 0,
            largest_bytes: 0,
            map: nil
        )
        #expect(millrace_queue_create(options, &queue) == MILLRACE_INVALID_ARGUMENT)
        #expect(queue == nil)
    }

    @Test("destroy visits what was not popped, oldest first")
    func destroyVisits() throws {
        final class Seen {
            var values: [UInt64] = []
            let offset: Int
            init(_ offset: Int) { self.offset = offset }
        }
        let queue = try Self.make()
        let values = (0..<1_000).map(UInt64.init)
        #expect(Self.push(values, to: queue) == 1_000)
        for _ in 0..<300 {
            #expect(millrace_queue_front(queue) != nil)
            millrace_queue_pop(queue)
        }
        let seen = Seen(queue.pointee.payload_offset)
        millrace_queue_destroy(
            queue,
            { slot, context in
                let seen = Unmanaged<Seen>.fromOpaque(context!).takeUnretainedValue()
                seen.values.append(UnsafeRawPointer(slot + seen.offset).load(as: UInt64.self))
            },
            Unmanaged.passUnretained(seen).toOpaque()
        )
        #expect(seen.values == Array(values[300...]))
    }

    @Test("without memory a claim says so, nothing is lost, and it goes on when there is some again")
    func outOfMemory() throws {
        #expect(MapLimit.queueWithoutMemory() == MILLRACE_OUT_OF_MEMORY)
        MapLimit.left.store(2, ordering: .relaxed)
        let queue = try Self.make(first: 16_384, largest: 16_384, map: MapLimit.map)
        defer { millrace_queue_destroy(queue, nil, nil) }
        let first = Self.push(Array(repeating: 7, count: 100_000), to: queue)
        #expect(first > 0 && first < 100_000)
        #expect(Self.push([8], to: queue) == 0)
        #expect(Self.popAll(queue).count == first)
        MapLimit.left.store(100, ordering: .relaxed)
        #expect(Self.push([9, 10], to: queue) == 2)
        #expect(Self.popAll(queue) == [9, 10])
    }

    @Test("a queue whose consumer keeps up lives in a few segments")
    func recycles() throws {
        let queue = try Self.make()
        defer { millrace_queue_destroy(queue, nil, nil) }
        let run = (0..<1_000).map(UInt64.init)
        for _ in 0..<1_000 {
            #expect(Self.push(run, to: queue) == 1_000)
            #expect(Self.popAll(queue).count == 1_000)
        }
        #expect(millrace_queue_segments(queue) <= 3)
    }

    @Test("memory is given back after a backlog, and the queue goes on at the right position")
    func trims() throws {
        let queue = try Self.make()
        defer { millrace_queue_destroy(queue, nil, nil) }
        #expect(Self.push(Array(repeating: 1, count: 100_000), to: queue) == 100_000)
        // Each as large as all before it, up to 1 MiB.
        #expect((6...12).contains(millrace_queue_segments(queue)))
        #expect(Self.popAll(queue).count == 100_000)
        millrace_queue_trim(queue)
        #expect(millrace_queue_segments(queue) == 1)
        #expect(queue.pointee.head.pointee.bytes <= 16_384)
        #expect(Self.push([1, 2, 3], to: queue) == 3)
        #expect(Self.popAll(queue) == [1, 2, 3])
        #expect(millrace_queue_claimed(queue) - millrace_queue_skipped(queue) == 100_003)
        #expect(millrace_queue_claimed(queue) == millrace_queue_consumed(queue))
    }

    @Test("slots are aligned, also of actions whose size is no multiple of their alignment")
    func strides() throws {
        for (size, alignment) in [(1, 1), (9, 1), (9, 8), (20, 16), (65, 64)] {
            let queue = try Self.make(size: size, alignment: alignment)
            defer { millrace_queue_destroy(queue, nil, nil) }
            #expect(queue.pointee.stride % max(alignment, 8) == 0, "\(size), \(alignment)")
        }
    }

    @Test("while an action waits in a trimmed segment, the positions behind it count as consumed")
    func trimsBehindAnAction() throws {
        let queue = try Self.make()
        defer { millrace_queue_destroy(queue, nil, nil) }
        #expect(Self.push(Array(repeating: 1, count: 100_000), to: queue) == 100_000)
        #expect(Self.popAll(queue).count == 100_000)
        #expect(Self.push([2], to: queue) == 1)
        millrace_queue_trim(queue)
        #expect(millrace_queue_depth(queue) == 1)
        millrace_queue_report(queue)
        #expect(millrace_queue_depth(queue) == 1)
        #expect(Self.popAll(queue) == [2])
    }

    @Test("trimming while claims are unpublished loses none of them")
    func trimsUnderClaims() throws {
        let queue = try Self.make()
        defer { millrace_queue_destroy(queue, nil, nil) }
        #expect(Self.push(Array(repeating: 1, count: 100_000), to: queue) == 100_000)
        #expect(Self.popAll(queue).count == 100_000)
        millrace_read_begin()
        var claim = millrace_claim()
        #expect(millrace_queue_claim(queue, 1, &claim) == MILLRACE_OK)
        #expect(millrace_queue_is_stalled(queue))
        millrace_queue_trim(queue)
        #expect(millrace_queue_front(queue) == nil)
        let slot = try #require(claim.slot)
        Self.payload(slot, queue).storeBytes(of: 42, as: UInt64.self)
        millrace_queue_publish(queue, slot, claim.position, 0)
        millrace_read_end()
        #expect(Self.push([43], to: queue) == 1)
        #expect(Self.popAll(queue) == [42, 43])
    }

    @Test("an unpublished claim holds the consumer up, not the producers")
    func stalls() throws {
        let queue = try Self.make()
        defer { millrace_queue_destroy(queue, nil, nil) }
        millrace_read_begin()
        var claim = millrace_claim()
        #expect(millrace_queue_claim(queue, 1, &claim) == MILLRACE_OK)
        #expect(Self.push(Array(repeating: 2, count: 10_000), to: queue) == 10_000)
        #expect(millrace_queue_front(queue) == nil)
        #expect(millrace_queue_is_stalled(queue))
        let slot = try #require(claim.slot)
        Self.payload(slot, queue).storeBytes(of: 1, as: UInt64.self)
        millrace_queue_publish(queue, slot, claim.position, 0)
        millrace_read_end()
        #expect(Self.popAll(queue) == [1] + Array(repeating: 2, count: 10_000))
        #expect(!millrace_queue_is_stalled(queue))
    }

    #if DEBUG
        @Test("debug builds stop a second consumer and name both")
        func secondConsumer() async throws {
            let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let queue = try QueueTests.make()
                millrace_queue_consumer_enter(queue)
                millrace_queue_consumer_enter(queue)
            }
            let message = String(decoding: result.standardErrorContent, as: UTF8.self)
            #expect(message.contains("one consumer at a time"))
        }

        @Test("debug builds stop a drain inside a read section")
        func drainInReadSection() async throws {
            let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let queue = try QueueTests.make()
                millrace_read_begin()
                millrace_queue_consumer_enter(queue)
            }
            let message = String(decoding: result.standardErrorContent, as: UTF8.self)
            #expect(message.contains("inside a read section"))
        }
    #endif

    @Test("a claim beyond the end of a segment counts only what it got")
    func claimsBeyondTheEnd() throws {
        let queue = try Self.make()
        defer { millrace_queue_destroy(queue, nil, nil) }
        millrace_read_begin()
        defer { millrace_read_end() }
        var claim = millrace_claim()
        #expect(millrace_queue_claim(queue, 1_000_000, &claim) == MILLRACE_OK)
        #expect(claim.count < 1_000_000)
        #expect(millrace_queue_claimed(queue) == claim.count)
    }

    /// Claims and publishes exactly the slots of the first segment. Returns their number.
    private static func fillSegment(of queue: Queue) throws -> UInt64 {
        let slots = (queue.pointee.first_bytes - queue.pointee.slots_offset) / queue.pointee.stride
        #expect(push(Array(repeating: 1, count: slots), to: queue) == slots)
        try #require(millrace_queue_segments(queue) == 1)
        return UInt64(slots)
    }

    @Test("the slow claim takes no slot behind the end of a segment that is exactly full")
    func slowClaimOfAFullSegment() throws {
        let queue = try Self.make()
        defer { millrace_queue_destroy(queue, nil, nil) }
        let slots = try Self.fillSegment(of: queue)
        millrace_read_begin()
        defer { millrace_read_end() }
        var claim = millrace_claim()
        #expect(millrace_queue_claim_slowly(queue, 1, &claim) == MILLRACE_OK)
        #expect(claim.position == slots && claim.count == 1)
        #expect(millrace_queue_segments(queue) == 2)
    }

    @Test("a consumer at the end of a segment sees an action in the next one before it sleeps")
    func readyInTheNextSegment() throws {
        let queue = try Self.make()
        defer { millrace_queue_destroy(queue, nil, nil) }
        let slots = try Self.fillSegment(of: queue)
        for _ in 0..<slots {
            _ = try #require(millrace_queue_front(queue))
            millrace_queue_pop(queue)
        }
        #expect(!millrace_queue_has_ready(queue))
        #expect(Self.push([2], to: queue) == 1)
        #expect(millrace_queue_has_ready(queue))
        #expect(Self.popAll(queue) == [2])
    }

    @Test("a queue that keeps many spare segments asks to be trimmed, and not after that")
    func bloated() throws {
        let queue = try Self.make(first: 16_384, largest: 16_384)
        defer { millrace_queue_destroy(queue, nil, nil) }
        #expect(Self.push(Array(repeating: 1, count: 10_000), to: queue) == 10_000)
        #expect(!millrace_queue_is_bloated(queue))
        #expect(Self.popAll(queue).count == 10_000)
        #expect(millrace_queue_is_bloated(queue))
        millrace_queue_trim(queue)
        #expect(!millrace_queue_is_bloated(queue))
    }
}

/// A source of memory that ends.
enum MapLimit {
    static let left = Atomic<Int>(0)

    static let map: millrace_map_function = { bytes in
        guard left.subtract(1, ordering: .relaxed).newValue >= 0 else { return nil }
        // As the core's own: it is given back by munmap.
        let memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        return memory == MAP_FAILED ? nil : memory
    }

    static func queueWithoutMemory() -> millrace_result {
        left.store(0, ordering: .relaxed)
        var queue: UnsafeMutablePointer<millrace_queue>?
        let options = millrace_queue_options(
            action_size: 8,
            action_alignment: 8,
            first_bytes: 0,
            largest_bytes: 0,
            map: map
        )
        return millrace_queue_create(options, &queue)
    }
}
