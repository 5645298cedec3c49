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
}
