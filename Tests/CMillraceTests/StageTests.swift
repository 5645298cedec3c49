// SPDX-License-Identifier: Apache-2.0

import CMillrace
import Glibc
import Synchronization
import TestSupport
import Testing

@Suite("Stage", .timeLimit(.minutes(5)))
struct StageTests {
    /// A stage, and slots that are whole only while they are worked on.
    final class Bench: @unchecked Sendable {
        // Unchecked because that is what is tested: the slots are plain memory behind the handshake.
        let stage = UnsafeMutablePointer<millrace_stage>.allocate(capacity: 1)
        let slots = UnsafeMutablePointer<UInt64>.allocate(capacity: 16)
        let isDone = Atomic<Bool>(false)

        init() {
            stage.initialize(to: millrace_stage())
            slots.initialize(repeating: 0, count: 16)
        }

        deinit {
            stage.deallocate()
            slots.deallocate()
        }
    }

    static let whole: UInt64 = 0xC0FF_EE00_C0FF_EE00

    @Test("the number is that of the action begun last; a mark that is taken is cleared")
    func numbers() {
        let bench = Bench()
        let stage = bench.stage
        #expect(millrace_stage_number(stage) == 0)
        var slot: UInt64 = 0
        withUnsafePointer(to: &slot) { slot in
            millrace_stage_begin(stage, slot, 7, MILLRACE_STAGE_HANDLING)
            #expect(millrace_stage_number(stage) == 7)
            #expect(millrace_stage_slot(stage) == UnsafeRawPointer(slot))
            _ = millrace_stage_leave(stage)
        }
        #expect(millrace_stage_number(stage) == 7)
        #expect(!millrace_stage_take(stage, MILLRACE_ATTENTION_URGENT))
        millrace_stage_ask(stage, MILLRACE_ATTENTION_URGENT)
        millrace_stage_ask(stage, MILLRACE_ATTENTION_ABANDON)
        #expect(millrace_stage_leave(stage))
        #expect(millrace_stage_take(stage, MILLRACE_ATTENTION_URGENT))
        #expect(!millrace_stage_take(stage, MILLRACE_ATTENTION_URGENT))
        #expect(millrace_stage_attention(stage) == MILLRACE_ATTENTION_ABANDON)
        withExtendedLifetime(bench) {}
    }

    @Test("a slot that is inspected stays whole until it is released")
    func inspection() {
        let bench = Bench()
        let (seen, torn) = (Shared(0), Shared(0))
        onThreads(2) { thread in
            if thread == 0 {
                var number = 0
                while !bench.isDone.load(ordering: .relaxed) {
                    let slot = bench.slots + number % 16
                    slot.pointee = Self.whole
                    millrace_stage_enter(bench.stage, slot, MILLRACE_STAGE_HANDLING)
                    for _ in 0..<number % 5 { millrace_pause() }
                    if millrace_stage_leave(bench.stage) { _ = millrace_stage_attend(bench.stage) }
                    slot.pointee = 0  // taken apart
                    number += 1
                }
            } else {
                var round = 0
                while round < (isSanitized ? 5_000 : 20_000) || seen.value <= 100 {
                    round += 1
                    // Or the consumer would do nothing but wait: on a processor of its own, or on this one.
                    for _ in 0..<100 + round % 100 { millrace_pause() }
                    if round % 16 == 0 { sched_yield() }
                    var which: UInt = 0
                    if let slot = millrace_stage_inspect(bench.stage, &which) {
                        seen.update { $0 += 1 }
                        for _ in 0..<3 {
                            millrace_pause()
                            let found = slot.load(as: UInt64.self)
                            if found != Self.whole || which != MILLRACE_STAGE_HANDLING { torn.update { $0 += 1 } }
                        }
                    }
                    millrace_stage_release(bench.stage)
                }
                bench.isDone.store(true, ordering: .relaxed)
            }
        }
        #expect(torn.value == 0)
    }

    @Test("a bit that was asked for is found after the action that runs, and stays")
    func asking() {
        let bench = Bench()
        millrace_stage_enter(bench.stage, bench.slots, MILLRACE_STAGE_REDUCING)
        #expect(millrace_stage_is(bench.stage, MILLRACE_STAGE_REDUCING))
        #expect(!millrace_stage_is(bench.stage, MILLRACE_STAGE_EFFECTS))
        millrace_stage_ask(bench.stage, MILLRACE_ATTENTION_ABANDON)
        for _ in 0..<2 {
            #expect(millrace_stage_leave(bench.stage))
            #expect(millrace_stage_attend(bench.stage) == MILLRACE_ATTENTION_ABANDON)
        }
        #expect(millrace_stage_attention(bench.stage) == MILLRACE_ATTENTION_ABANDON)
        var which: UInt = 9
        #expect(millrace_stage_inspect(bench.stage, &which) == nil)
        millrace_stage_release(bench.stage)
        #expect(millrace_stage_attention(bench.stage) == MILLRACE_ATTENTION_ABANDON)
    }
}
