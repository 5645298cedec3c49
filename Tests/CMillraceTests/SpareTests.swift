// SPDX-License-Identifier: Apache-2.0

import CMillrace
import Glibc
import Synchronization
import Testing

/// How many segments the queue keeps for the next burst, while actions come.
@Suite("C queue, spares", .serialized)
struct SpareTests {
    static let segmentBytes = 16_384
    /// Each slot has 40 bytes here.
    static let burst = Array(repeating: UInt64(1), count: 40 * segmentBytes / 40)

    @Test("bursts of one size soon find their memory mapped")
    func grows() throws {
        let queue = try Self.make()
        defer { millrace_queue_destroy(queue, nil, nil) }
        let first = Self.mapsOfBurst(queue)
        #expect(first >= 38, "else the spares that a queue always keeps would be enough")
        let later = (0..<5).map { _ in Self.mapsOfBurst(queue) }
        #expect(later.last == 0, "\(later)")
    }

    @Test("spares that nobody has needed for a long time are given back, also while actions come")
    func shrinks() throws {
        let queue = try Self.make()
        defer { millrace_queue_destroy(queue, nil, nil) }
        for _ in 0..<4 { _ = Self.mapsOfBurst(queue) }
        #expect(millrace_queue_segments(queue) > 30)
        let little = Array(repeating: UInt64(1), count: Self.segmentBytes / 40)
        for _ in 0..<2_500 {
            #expect(QueueTests.push(little, to: queue) == little.count)
            #expect(QueueTests.popAll(queue).count == little.count)
        }
        #expect(millrace_queue_segments(queue) <= 20)
    }

    @Test("one backlog doubles the limit once")
    func backlog() throws {
        let queue = try Self.make()
        defer { millrace_queue_destroy(queue, nil, nil) }
        for _ in 0..<8 { #expect(QueueTests.push(Self.burst, to: queue) == Self.burst.count) }
        #expect(millrace_queue_segments(queue) > 300)
        #expect(QueueTests.popAll(queue).count == 8 * Self.burst.count)
        #expect(millrace_queue_segments(queue) <= 2 * 16 + 2)
    }

    @Test("a trim gives all spares back, and the limit begins anew")
    func trim() throws {
        let queue = try Self.make()
        defer { millrace_queue_destroy(queue, nil, nil) }
        for _ in 0..<4 { _ = Self.mapsOfBurst(queue) }
        millrace_queue_trim(queue)
        #expect(millrace_queue_segments(queue) <= 2)
        // Two bursts teach the limit again: 16, 32, 64.
        #expect(Self.mapsOfBurst(queue) >= 38)
        #expect(Self.mapsOfBurst(queue) > 0)
        #expect((0..<3).map { _ in Self.mapsOfBurst(queue) }.last == 0)
    }

    @Test("large segments: as many spares as a queue always keeps")
    func large() throws {
        let bytes = 32 << 20
        let queue = try QueueTests.make(size: 65_536, first: bytes, largest: bytes, map: CountedMap.map)
        defer { millrace_queue_destroy(queue, nil, nil) }
        let slots = bytes / (65_536 + 32) * 20
        for _ in 0..<3 {
            #expect(QueueTests.push(Array(repeating: 1, count: slots), to: queue) == slots)
            #expect(QueueTests.popAll(queue).count == slots)
        }
        #expect(millrace_queue_segments(queue) <= 16 + 2)
    }

    static func make() throws -> QueueTests.Queue {
        try QueueTests.make(first: segmentBytes, largest: segmentBytes, map: CountedMap.map)
    }

    /// Pushes a burst, consumes it, and returns how many segments were mapped for it.
    static func mapsOfBurst(_ queue: QueueTests.Queue) -> Int {
        let before = CountedMap.count.load(ordering: .relaxed)
        #expect(QueueTests.push(burst, to: queue) == burst.count)
        #expect(QueueTests.popAll(queue).count == burst.count)
        return CountedMap.count.load(ordering: .relaxed) - before
    }
}

/// Memory of the system, counted.
private enum CountedMap {
    static let count = Atomic<Int>(0)

    static let map: millrace_map_function = { bytes in
        count.add(1, ordering: .relaxed)
        let memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        return memory == MAP_FAILED ? nil : memory
    }
}
