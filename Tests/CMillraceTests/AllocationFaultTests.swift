// SPDX-License-Identifier: Apache-2.0

#if DEBUG
    import CMillrace
    import CMillraceStress
    import Foundation
    import Glibc
    import Synchronization
    import TestSupport
    import Testing

    /// Each allocation of the C core fails in turn: the call says so, what it had made before is freed (AddressSanitizer
    /// looks for leaks), and the next call succeeds.
    @Suite("C core, allocations that fail")
    struct AllocationFaultTests {
        /// Calls `body` with the first allocation failing, then the second, until none is left to fail.
        /// - Returns: how many there were.
        private func eachSite(_ body: () throws -> millrace_result) rethrows -> UInt64 {
            var site: UInt64 = 1
            while true {
                millrace_fault_plan(site, 1)
                let result = try body()
                let sites = millrace_fault_sites()
                millrace_fault_plan(0, 0)
                if sites < site {
                    #expect(result == MILLRACE_OK, "without a failure")
                    return site - 1
                }
                #expect(result == MILLRACE_OUT_OF_MEMORY, "allocation \(site)")
                site += 1
            }
        }

        @Test("a queue")
        func queue() {
            let sites = eachSite {
                var queue: UnsafeMutablePointer<millrace_queue>?
                let options = millrace_queue_options(
                    action_size: 8,
                    action_alignment: 8,
                    first_bytes: 0,
                    largest_bytes: 0,
                    map: nil
                )
                let result = millrace_queue_create(options, &queue)
                #expect((queue != nil) == (result == MILLRACE_OK))
                if let queue { millrace_queue_destroy(queue, nil, nil) }
                return result
            }
            #expect(sites == 2)
        }

        @Test("segments: a claim fails, nothing that was published is lost, and the order goes on")
        func segments() throws {
            let queue = try QueueTests.make(first: 4096, largest: 4096)
            defer { millrace_queue_destroy(queue, nil, nil) }
            var (accepted, refused) = ([UInt64](), 0)
            for number in 0..<5_000 as Range<UInt64> {
                // Every third segment cannot be had at first.
                millrace_fault_plan(1, number.isMultiple(of: 3) ? 1 : 0)
                if QueueTests.push([number], to: queue) == 1 { accepted.append(number) } else { refused += 1 }
                millrace_fault_plan(0, 0)
            }
            #expect(refused > 0 && accepted.count > 1_000)
            #expect(QueueTests.popAll(queue) == accepted)
        }

        @Test("a snapshot, and the memory of a version")
        func snapshot() {
            let sites = eachSite {
                var snapshot: UnsafeMutablePointer<millrace_snapshot>?
                let result = millrace_snapshot_create(64, 16, &snapshot)
                guard let snapshot else { return result }
                defer { millrace_snapshot_destroy(snapshot, { _, _ in }, nil) }
                guard let node = millrace_snapshot_prepare(snapshot) else { return MILLRACE_OUT_OF_MEMORY }
                millrace_snapshot_publish(snapshot, node, 1)
                return MILLRACE_OK
            }
            #expect(sites == 2)
        }

        @Test("a ring in memory, and a ring on a file, which leaves no file behind")
        func rings() throws {
            let inMemory = eachSite {
                var ring: UnsafeMutablePointer<millrace_ring>?
                let result = millrace_ring_create(4, 16, 4096, &ring)
                if let ring { millrace_ring_destroy(ring) }
                return result
            }
            #expect(inMemory == 2)

            var template = Array("\(FileManager.default.temporaryDirectory.path)/millrace-fault-XXXXXX".utf8CString)
            let folder = mkdtemp(&template).map { String(cString: $0) } ?? ""
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let path = folder + "/ring"
            var (before, code) = (UnsafeMutablePointer<millrace_ring>?.none, Int32(0))
            try #require(millrace_ring_create_file(path, 4, 16, 4096, &code, &before) == MILLRACE_OK)
            millrace_ring_destroy(try #require(before))
            let onFile = eachSite {
                var (ring, code) = (UnsafeMutablePointer<millrace_ring>?.none, Int32(0))
                let result = millrace_ring_create_file(path, 4, 16, 4096, &code, &ring)
                if result == MILLRACE_OK, let ring { millrace_ring_destroy(ring) }
                // The ring that was there before is there still, and nothing else unless the call succeeded.
                #expect(names(in: folder) == (result == MILLRACE_OK ? ["ring", "ring.previous"] : ["ring"]))
                return result == MILLRACE_SYSTEM_ERROR && code == ENOMEM ? MILLRACE_OUT_OF_MEMORY : result
            }
            #expect(onFile == 4)
        }

        private func names(in folder: String) -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        }

        @Test("a thread: its start, or the memory for that")
        func thread() {
            let sites = eachSite {
                let started = millrace_thread_start("fault", { _ in }, nil)
                return started
            }
            #expect(sites == 2)
        }

        @Test("readers that cannot be listed still read")
        func readers() {
            // More threads at once than there are entries of ended threads to reuse.
            let threads = 256
            let enlisted = Atomic(0)
            let unlisted = Atomic(0)
            let wrong = Atomic(0)
            onThreads(threads) { _ in
                millrace_fault_plan(1, 1)
                let entry = millrace_reader_enlist()
                if millrace_fault_sites() > 0 {
                    if entry != nil { wrong.add(1, ordering: .relaxed) }
                    unlisted.add(1, ordering: .relaxed)
                }
                millrace_fault_plan(0, 0)
                enlisted.add(1, ordering: .relaxed)
                while enlisted.load(ordering: .relaxed) < threads { sched_yield() }
                millrace_read_begin()
                if !millrace_read_ongoing() { wrong.add(1, ordering: .relaxed) }
                millrace_read_end()
                if millrace_read_ongoing() { wrong.add(1, ordering: .relaxed) }
            }
            #expect(wrong.load(ordering: .relaxed) == 0)
            #expect(unlisted.load(ordering: .relaxed) > 0)
        }
    }
#endif
