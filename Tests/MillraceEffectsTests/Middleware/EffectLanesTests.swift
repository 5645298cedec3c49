// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import MillraceEffects

@Suite("EffectLanes: the table of tokens")
struct EffectLanesTests {
    private let lanes = EffectLanes()

    private func add<Token: Hashable>(_ token: Token) -> EffectTask {
        let tag = EffectTag.of(token)
        let effectTask = EffectTask.make(tag, EffectFlags(), origin: EffectOrigin())
        lanes.add(tag, running: effectTask, isCovered: false)
        return effectTask
    }

    private func remove(_ effectTask: EffectTask) throws {
        let lane = try #require(effectTask.place.lane)
        lane.takeUnretainedValue().leave(effectTask)
        #expect(lanes.remove(lane) != nil)
    }

    @Test("a table from which most tokens are gone becomes small again, and finds the others")
    func shrinks() throws {
        let count = 10_000
        let effectTasks = (0..<count).map { add($0) }
        #expect(lanes.mask >= count - 1)
        for effectTask in effectTasks.dropFirst(100) { try remove(effectTask) }
        #expect(lanes.count == 100)
        #expect(lanes.mask < 1_024)
        for number in 0..<200 {
            let lane = lanes.find(.of(number))
            #expect((lane?.all.first === effectTasks[number]) == (number < 100))
        }
        for effectTask in effectTasks.prefix(100) { try remove(effectTask) }
        #expect(lanes.all.isEmpty)
    }

    /// A token whose hash changes, against the rules.
    private final class Changing: Hashable {
        var current = 0

        static func == (lhs: Changing, rhs: Changing) -> Bool { lhs === rhs }

        func hash(into hasher: inout Hasher) { hasher.combine(current) }

        func _rawHashValue(seed: Int) -> Int { current }
    }

    @Test("a token whose hash changes while its effect is under way leaves the table")
    func changed() throws {
        let token = Changing()
        // A hash of 0, which the tag does not keep.
        let effectTask = add(token)
        token.current = 5
        try remove(effectTask)
        #expect(lanes.all.isEmpty)
    }
}
