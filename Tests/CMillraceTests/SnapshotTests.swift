// SPDX-License-Identifier: Apache-2.0

import CMillrace
import Glibc
import TestSupport
import Testing

@Suite("C snapshot", .serialized, .timeLimit(.minutes(5)))
struct SnapshotTests {
    struct Pair {
        var value: UInt64
        var complement: UInt64
    }

    private func make() throws -> UnsafeMutablePointer<millrace_snapshot> {
        var snapshot: UnsafeMutablePointer<millrace_snapshot>?
        try #require(millrace_snapshot_create(MemoryLayout<Pair>.size, 8, &snapshot) == MILLRACE_OK)
        return try #require(snapshot)
    }

    /// Returns a snapshot with readers of its own: other tests read, too.
    private func makeAlone() throws -> UnsafeMutablePointer<millrace_snapshot> {
        let snapshot = try make()
        snapshot.pointee.readers = Self.makeList()
        return snapshot
    }

    private static func makeList() -> UnsafeMutablePointer<millrace_reader_list> {
        calloc(1, MemoryLayout<millrace_reader_list>.size).assumingMemoryBound(to: millrace_reader_list.self)
    }

    private static var seesReaders: Bool {
        let list = makeList()
        defer { free(list) }
        return millrace_reader_list_is_quiet(list)
    }

    /// Publishes a value; returns how many old ones could be reclaimed.
    private func publish(
        _ value: UInt64,
        to snapshot: UnsafeMutablePointer<millrace_snapshot>,
        lookingAtOnce: Bool = false
    ) -> Int {
        var reclaimed = 0
        millrace_snapshot_settle(snapshot, lookingAtOnce)
        while let old = millrace_snapshot_reclaim(snapshot) {
            // As a user's destructor would: whoever still reads it sees it fall apart.
            millrace_snapshot_payload(snapshot, old).storeBytes(of: Pair(value: 1, complement: 1), as: Pair.self)
            millrace_snapshot_recycle(snapshot, old)
            reclaimed += 1
        }
        let node = millrace_snapshot_prepare(snapshot)!
        millrace_snapshot_payload(snapshot, node).storeBytes(of: Pair(value: value, complement: ~value), as: Pair.self)
        millrace_snapshot_publish(snapshot, node, value)
        return reclaimed
    }

    @Test("readers see whole versions, and never an older one after a newer")
    func readers() throws {
        let snapshot = try make()
        _ = publish(0, to: snapshot)
        nonisolated(unsafe) let shared = snapshot
        onThreads(4) { thread in
            if thread == 0 {
                for value in 1...20_000 { _ = publish(UInt64(value), to: shared) }
                return
            }
            var last: UInt64 = 0
            while last < 20_000 {
                let reader = millrace_lend_begin()
                let node = millrace_snapshot_read(shared)!
                let pair = millrace_snapshot_payload(shared, node).load(as: Pair.self)
                let version = node.pointee.version
                millrace_snapshot_leave(node)
                millrace_lend_end(reader)
                if pair.complement != ~pair.value || version != pair.value || version < last {
                    Issue.record("version \(version) after \(last): \(pair)")
                    return
                }
                last = version
            }
        }
        millrace_snapshot_destroy(snapshot, nil, nil)
    }

    @Test(
        "a version that nobody reads comes back at the next look, without a grace period",
        .enabled(if: seesReaders, "the kernel has no membarrier")
    )
    func comesBackAtOnce() throws {
        let snapshot = try makeAlone()
        _ = publish(0, to: snapshot)
        for value: UInt64 in 1...100 {
            // The version before the last one was retired by the last call.
            #expect(publish(value, to: snapshot, lookingAtOnce: true) == (value == 1 ? 0 : 1))
            #expect(millrace_snapshot_waiting(snapshot) == 1)
        }
        free(snapshot.pointee.readers)
        millrace_snapshot_destroy(snapshot, nil, nil)
    }

    @Test("a version waits for its readers, then comes back to its owner")
    func reclaims() async throws {
        let snapshot = try make()
        _ = publish(1, to: snapshot)
        let reader = millrace_lend_begin()
        let held = try #require(millrace_snapshot_read(snapshot))
        #expect(publish(2, to: snapshot, lookingAtOnce: true) == 0)
        #expect(publish(3, to: snapshot, lookingAtOnce: true) == 0)
        // Nothing can come back while we are inside, however long it takes.
        for value: UInt64 in 4...50 { #expect(publish(value, to: snapshot, lookingAtOnce: true) == 0) }
        #expect(millrace_snapshot_payload(snapshot, held).load(as: Pair.self).value == 1)
        millrace_snapshot_leave(held)
        millrace_lend_end(reader)
        // On a thread of its own, as it may wait long: a task that another test needs to end its reading, needs the pool.
        await elsewhere { millrace_reclaim_barrier() }
        #expect(publish(51, to: snapshot, lookingAtOnce: true) == 49)
        millrace_snapshot_destroy(snapshot, nil, nil)
    }

    @Test(
        "an owner that publishes fast keeps few old versions, and after a pause none, while no thread reads",
        .enabled(if: seesReaders, "the kernel has no membarrier")
    )
    func keepsFew() throws {
        let snapshot = try makeAlone()
        _ = publish(0, to: snapshot)
        var most: UInt64 = 0
        for value: UInt64 in 1...100_000 {
            _ = publish(value, to: snapshot)
            most = max(most, millrace_snapshot_waiting(snapshot))
        }
        // The limit at which the owner looks in any case.
        #expect(most <= 1_024)
        // Time has passed, so the next publication looks, and the one that it retires is the only one left.
        usleep(200_000)
        _ = publish(100_001, to: snapshot)
        #expect(millrace_snapshot_waiting(snapshot) == 1)
        free(snapshot.pointee.readers)
        millrace_snapshot_destroy(snapshot, nil, nil)
    }

    @Test(
        "a clock that has stepped back holds no versions back for ever",
        .enabled(if: seesReaders, "the kernel has no membarrier")
    )
    func steppedBack() throws {
        let snapshot = try makeAlone()
        _ = publish(0, to: snapshot)
        // The last look was in the future.
        (snapshot.pointee.looked, snapshot.pointee.look_cost) = (.max, 1 << 20)
        for value: UInt64 in 1...1_024 { #expect(publish(value, to: snapshot) == 0) }
        #expect(publish(1_025, to: snapshot) == 1_024)
        #expect(millrace_snapshot_waiting(snapshot) == 1)
        free(snapshot.pointee.readers)
        millrace_snapshot_destroy(snapshot, nil, nil)
    }

    @Test("sizes and alignments that no version can have are refused")
    func refused() {
        var snapshot: UnsafeMutablePointer<millrace_snapshot>?
        for (size, alignment) in [(8, 24), (8, 8_192), (.max, 8)] {
            #expect(millrace_snapshot_create(size, alignment, &snapshot) == MILLRACE_INVALID_ARGUMENT)
        }
        #expect(snapshot == nil)
    }

    @Test("a thread is inside until its outermost section ends")
    func nested() {
        func isInside() -> Bool {
            var threads = [Int32](repeating: 0, count: 4_096)
            let count = millrace_readers(&threads, threads.count)
            return threads.prefix(count).contains(millrace_thread_number())
        }
        let outer = millrace_lend_begin()
        let inner = millrace_lend_begin()
        #expect(isInside())
        millrace_lend_end(inner)
        #expect(isInside())
        millrace_lend_end(outer)
        #expect(!isInside())
    }

    @Test(
        "a section of a thread without an entry is seen, too",
        .enabled(if: seesReaders, "the kernel has no membarrier")
    )
    func unlisted() throws {
        let snapshot = try makeAlone()
        _ = publish(0, to: snapshot)
        millrace_reader_begin_unlisted(snapshot.pointee.readers)
        // Only looked at, so nothing has to keep them for this reader.
        #expect(!millrace_reader_list_is_quiet(snapshot.pointee.readers))
        millrace_reader_end_unlisted(snapshot.pointee.readers)
        #expect(millrace_reader_list_is_quiet(snapshot.pointee.readers))
        free(snapshot.pointee.readers)
        millrace_snapshot_destroy(snapshot, nil, nil)
    }

    @Test("destroy visits every value that is still held")
    func destroyVisits() throws {
        let snapshot = try make()
        for value: UInt64 in 1...5 { _ = publish(value, to: snapshot) }
        final class Seen { var values: Set<UInt64> = [] }
        let seen = Seen()
        millrace_snapshot_destroy(
            snapshot,
            { payload, context in
                let seen = Unmanaged<Seen>.fromOpaque(context!).takeUnretainedValue()
                seen.values.insert(payload.load(as: Pair.self).value)
            },
            Unmanaged.passUnretained(seen).toOpaque()
        )
        #expect(seen.values.contains(5))
        #expect(seen.values.isSubset(of: [1, 2, 3, 4, 5]))
    }
}
