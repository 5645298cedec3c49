// SPDX-License-Identifier: Apache-2.0

import CMillraceStress
import TestSupport
import Testing

@testable import Millrace

@Suite("InternalQueue")
struct InternalQueueTests {
    private func push(_ number: UInt64, to queue: InternalQueue) throws -> UnsafeMutableRawPointer {
        let slot = try #require(queue.reserve())
        slot.storeBytes(of: number, toByteOffset: 32, as: UInt64.self)
        _ = queue.commit()
        return slot
    }

    private func pop(_ queue: InternalQueue) -> UInt64? {
        guard let slot = queue.front() else { return nil }
        defer { queue.pop() }
        return UnsafeRawPointer(slot).load(fromByteOffset: 32, as: UInt64.self)
    }

    @Test("is first in, first out, through any number of chunks", arguments: [48, 80, 5_008])
    func order(stride: Int) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix64(seed: seed)
        let queue = try #require(InternalQueue(stride: stride, alignment: 16))
        var (pushed, popped): (UInt64, UInt64) = (0, 0)
        for _ in 0..<500 {
            for _ in 0..<Int.random(in: 0...1_000, using: &random) {
                _ = try push(pushed, to: queue)
                pushed += 1
            }
            for _ in 0..<Int.random(in: 0...1_100, using: &random) {
                guard let number = pop(queue) else { break }
                #expect(number == popped, "seed \(seed)")
                popped += 1
            }
            #expect(queue.isEmpty == (pushed == popped), "seed \(seed)")
            if Int.random(in: 0...9, using: &random) == 0 { queue.trim() }
        }
        #expect(queue.pushed == pushed)
    }

    @Test("a chain of actions goes back and forth between two chunks")
    func chain() throws {
        let queue = try #require(InternalQueue(stride: 48, alignment: 16))
        var slots: Set<UnsafeMutableRawPointer> = [try push(0, to: queue)]
        for number in 1...100_000 {
            // The action that is handled dispatches the next one before it is popped.
            slots.insert(try push(UInt64(number), to: queue))
            #expect(pop(queue) == UInt64(number - 1))
        }
        #expect(slots.count <= (4096 + 8192) / 48)
    }

    @Test("the slot of the action that is handled stays as it is while it dispatches others")
    func keepsFront() throws {
        let queue = try #require(InternalQueue(stride: 48, alignment: 16))
        for round in 0..<3 {
            let slot = try push(7, to: queue)
            for number in 0..<10_000 { _ = try push(UInt64(number), to: queue) }
            #expect(queue.front() == slot.assumingMemoryBound(to: UInt8.self), "round \(round)")
            #expect(pop(queue) == 7)
            for number in 0..<10_000 { #expect(pop(queue) == UInt64(number)) }
            #expect(queue.isEmpty)
        }
    }

    #if DEBUG
        @Test("without memory: none is made, a full one refuses and goes on, and a trim keeps what there is")
        func noMemory() throws {
            millrace_fault_plan(1, 1)
            let none = InternalQueue(stride: 48, alignment: 16)
            millrace_fault_plan(0, 0)
            #expect(none == nil)

            let queue = try #require(InternalQueue(stride: 48, alignment: 16))
            millrace_fault_plan(1, .max)
            var pushed: UInt64 = 0
            while queue.reserve() != nil {
                _ = try push(pushed, to: queue)
                pushed += 1
            }
            #expect(pushed == (4096 - 16) / 48 && queue.pushed == pushed)
            millrace_fault_plan(0, 0)
            for number in pushed..<20_000 { _ = try push(number, to: queue) }
            for number in 0..<20_000 as Range<UInt64> { #expect(pop(queue) == number) }

            #expect(queue.isBloated)
            millrace_fault_plan(1, 1)
            queue.trim()
            #expect(millrace_fault_sites() == 1 && queue.isBloated)
            millrace_fault_plan(0, 0)
            _ = try push(7, to: queue)
            #expect(pop(queue) == 7)
            queue.trim()
            #expect(!queue.isBloated)
        }
    #endif
}
