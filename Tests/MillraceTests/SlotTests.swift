// SPDX-License-Identifier: Apache-2.0

import CMillrace
import TestSupport
import Testing

@testable import Millrace
@testable import MillraceCore

@Suite("Slot")
struct SlotTests {
    private static let fixed = ActionSource.here()
    private static let dynamic = ActionSource(file: "a" + String(7), function: "f", line: 7, info: "why")

    private static let causes: [ActionCause] = [
        .none,
        ActionCause(parent: 1, root: 1),
        ActionCause(parent: 9, root: 7, parentShard: 3, rootShard: 3),
        ActionCause(parent: 9, root: 7, parentShard: 3, rootShard: 4),
        ActionCause(parent: 9, root: 7, parentShard: .max, rootShard: .max),
        // The root too far away for 32 bits, and the parent too large for 48 and for 60.
        ActionCause(parent: 1 << 40, root: 1),
        ActionCause(parent: 1 << 50, root: 1 << 50),
        ActionCause(parent: .max, root: .max),
        ActionCause(parent: 0, root: 5),
        ActionCause(parent: 5, root: 0),
    ]

    @Test("holds source, cause, run and time, in every combination", arguments: [false, true])
    func roundTrip(isStamping: Bool) {
        let slot = UnsafeMutableRawPointer.allocate(byteCount: 32, alignment: 8)
        defer { slot.deallocate() }
        for source in [Self.fixed, Self.dynamic] {
            for cause in Self.causes {
                for hasRun in [false, true] {
                    var run = hasRun ? EffectRun() : nil
                    weak let kept = run
                    var header = SlotHeader(source, cause, run, isStamping: isStamping)
                    let time: UInt64 = isStamping ? 123_456 : 0
                    header.extra |= time
                    Slot.write(slot, header)
                    #expect(Slot.source(slot).pointee == source)
                    #expect(Slot.cause(slot) == cause)
                    #expect(Slot.time(slot) == time)
                    #expect(!Slot.isRevoked(slot))
                    run?.revoke()
                    #expect(Slot.isRevoked(slot) == hasRun)
                    run = nil
                    #expect((kept != nil) == hasRun)
                    Slot.empty(slot)
                    #expect(kept == nil)
                }
            }
        }
    }

    @Test("most headers take no allocation: a fixed source, no cause or one within the shard, or a run")
    func packs() {
        func bits(_ source: ActionSource, _ cause: ActionCause, _ run: EffectRun?, _ isStamping: Bool) -> UInt64 {
            let header = SlotHeader(source, cause, run, isStamping: isStamping)
            defer { header.discard() }
            return header.link & SlotHeader.bits
        }
        let near = ActionCause(parent: 9, root: 7, parentShard: 3, rootShard: 3)
        let far = ActionCause(parent: 1 << 40, root: 1)
        for isStamping in [false, true] {
            #expect(bits(Self.fixed, .none, nil, isStamping) == SlotHeader.nothing)
            #expect(bits(Self.fixed, near, nil, isStamping) == SlotHeader.shortCause)
            #expect(bits(Self.fixed, .none, EffectRun(), isStamping) == SlotHeader.run)
            #expect(bits(Self.dynamic, .none, nil, isStamping) == SlotHeader.extended)
        }
        #expect(bits(Self.fixed, far, nil, false) == SlotHeader.longCause)
        #expect(bits(Self.fixed, far, nil, true) == SlotHeader.extended)
        #expect(bits(Self.fixed, near, EffectRun(), false) == SlotHeader.runAndCause)
        #expect(bits(Self.fixed, near, EffectRun(), true) == SlotHeader.extended)
    }

    @Test("an action of up to 16 bytes takes 48 bytes")
    func size() throws {
        let queue = try #require(ActionQueue<(UInt64, UInt64)>())
        defer { queue.destroy() }
        #expect(queue.raw.stride == 48)
    }

    @Test("a source is 32 bytes: file, function, line and lengths, text, as the table has it")
    func sourceLayout() {
        #expect(MemoryLayout<ActionSource>.size == 32)
        let number = SlotHeader.number(of: Self.fixed)
        #expect(number != SlotHeader.none)
        #expect(SlotHeader.number(of: Self.fixed) == number)
        let entry = millrace_source_at(number).assumingMemoryBound(to: ActionSource.self)
        #expect(entry.pointee == Self.fixed)
        #expect(SlotHeader.number(of: Self.dynamic) == SlotHeader.none)
    }

    @Test("a run of actions with a source made at run time shares it")
    func sharedExtension() async {
        let store = ReduxStoreBase(
            initialState: [String](),
            reducer: Reducer<Int, [String]>.reduce { _, _ in },
            middleware: Handle<Int, [String]> { _, source, _ in
                #expect(source.info == "why" && source.line == 7)
                return .pure()
            }
        )
        let actions = Array(0..<1_000)
        actions.withUnsafeBufferPointer { store.core.take(contentsOf: $0, source: Self.dynamic) }
        await store.drain()
        #expect(store.metrics.reduced == 1_000)
    }

    /// Places that differ only in the function, so that the table looks for all of them in the same entries.
    private static let meeting: [ActionSource] = {
        let text: StaticString = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"
        return (0..<UInt(52)).map { offset in
            ActionSource(
                fileAddress: UInt(bitPattern: text.utf8Start),
                functionAddress: UInt(bitPattern: text.utf8Start) + offset,
                packed: 77 | 1 << 32 | 1 << 48,
                text: nil
            )
        }
    }()

    @Test("a place that finds no entry in the table is still told")
    func fullTable() async {
        let wrong = Recorder<Int>()
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            middleware: Handle<Int, Int> { index, source, _ in
                if source != Self.meeting[index] { wrong.record(index) }
                return .pure()
            }
        )
        let meeting = Self.meeting
        onThreads(4) { _ in
            for _ in 0..<50 {
                for (index, source) in meeting.enumerated() {
                    store.dispatch(DispatchedAction(index, dispatcher: source))
                }
            }
        }
        await store.drain()
        #expect(store.metrics.reduced == 10_400)
        #expect(wrong.all.prefix(3) == [])
        // Whether some of them have a number depends on the other tests, whose places may have filled these entries.
        #expect(meeting.map(SlotHeader.number).contains(SlotHeader.none))
    }

    @Test("a queue that is destroyed releases the actions and the messages that wait in it")
    func destroyed() throws {
        final class Cargo: Sendable {}
        weak var inAction: Cargo?
        weak var inMessage: Cargo?
        let queue = try #require(ActionQueue<Cargo>())
        do {
            let (action, kept) = (Cargo(), Cargo())
            (inAction, inMessage) = (action, kept)
            _ = queue.push(message: PipelineMessage { withExtendedLifetime(kept) {} })
            _ = queue.push(action, source: Self.fixed, cause: .none, run: nil, flags: 0, admits: { true })
        }
        #expect(inAction != nil && inMessage != nil)
        queue.destroy()
        #expect(inAction == nil && inMessage == nil)
    }
}
