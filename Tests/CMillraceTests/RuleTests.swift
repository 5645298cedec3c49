// SPDX-License-Identifier: Apache-2.0

import CMillrace
import CMillraceStress
import Testing

/// What one thread can check of the invariants; the rest is for `scripts/weakmemory.sh`.
@Suite("C core, rules", .serialized, .timeLimit(.minutes(1)))
struct RuleTests {
    @Test("each rule holds", arguments: 0..<millrace_rule_count())
    func holds(rule: UInt32) {
        #expect(millrace_rule_holds(rule), "\(String(cString: millrace_rule_name(rule)))")
    }

    @Test("a membarrier that is refused after the start stops the program with a message")
    func refusedMembarrier() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let queue = try QueueTests.make()
            let bell = millrace_queue_bell(queue)
            guard bell.pointee.asymmetric == 1, millrace_refuse_membarrier() else {
                // Nothing to refuse here, or no way to: says what the test waits for.
                millrace_stop("must allow it")
            }
            millrace_doorbell_prepare(bell)
        }
        let message = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(message.contains("must allow it"))
    }

    @Test("a membarrier that is refused at a gap stops the program with a message")
    func refusedAtAGap() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let queue = try QueueTests.make()
            millrace_read_begin()
            var claim = millrace_claim()
            try #require(millrace_queue_claim(queue, 1, &claim) == MILLRACE_OK)
            millrace_read_end()
            try #require(QueueTests.push([1], to: queue) == 1)
            // The first look at a gap only notes it.
            try #require(millrace_queue_is_stalled(queue) && !millrace_queue_open_window(queue, 10))
            guard millrace_queue_bell(queue).pointee.asymmetric == 1, millrace_refuse_membarrier() else {
                millrace_stop("must allow it")
            }
            _ = millrace_queue_open_window(queue, 10)
        }
        let message = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(message.contains("must allow it"))
    }

    @Test("without membarrier a list of readers is never quiet, and a stage shows no slot")
    func refusedLooks() async {
        await #expect(processExitsWith: .success) {
            var readers = millrace_reader_list()
            var (stage, which, slot): (millrace_stage, UInt, UInt64) = (millrace_stage(), 0, 0)
            millrace_stage_begin(&stage, &slot, 7, MILLRACE_STAGE_HANDLING)
            #expect(millrace_stage_inspect(&stage, &which) != nil)
            #expect(millrace_reader_list_is_quiet(&readers))
            guard millrace_refuse_membarrier() else { return }
            #expect(!millrace_reader_list_is_quiet(&readers))
            #expect(millrace_stage_inspect(&stage, &which) == nil)
        }
    }
}
