// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceCore
import MillraceJournal
import MillraceJournalTesting
import MillraceRecords
import MillraceTesting
import TestSupport
import Testing

/// What `.interval(t)` promises for actions that nobody waits for, on the clock of a simulated world.
@Suite("At most the interval is lost", .timeLimit(.minutes(5)))
struct IntervalTests {
    typealias Store = ReduxStoreBase<Deed, Sums>

    private static let interval = Duration.milliseconds(10)
    /// The longest sync of the simulated disk.
    private static let longestSync = Duration.milliseconds(2)

    /// Dispatches numbers at random times, and has the power cut at some moment. Returns how long before the cut the first
    /// lost action was dispatched; nil if none is lost.
    private func lost(_ world: SimulatedWorld) throws -> Duration? {
        let disk = SimulatedDisk(in: world)
        let clock = world.clock
        // The moment at which each number was dispatched, and that of the cut.
        let times = Shared<[SimulatedClock.Instant]>([])
        let cut = Shared<SimulatedClock.Instant?>(nil)
        world.task("life") {
            var random = world.random
            let store = try await open(disk, world)
            let end = clock.now.advanced(by: .microseconds(Int.random(in: 1_000..<80_000, using: &random)))
            while clock.now < end {
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    times.update { $0.append(clock.now) }
                    store.dispatch(.add(times.value.count))
                }
                // Mostly more actions come before the sync; sometimes none.
                let pause = [50, 300, 1_500, 25_000].randomElement(using: &random)!
                let next = clock.now.advanced(by: .microseconds(Int.random(in: 1...pause, using: &random)))
                try await clock.sleep(until: min(next, end))
            }
            cut.value = clock.now
            disk.cutPower()
        }
        try world.run()
        disk.restart()
        let count = Shared(0)
        world.task("next life") {
            let store = try await open(disk, world)
            count.value = store.state.deeds.count
            #expect(store.state.deeds == Array(0...times.value.count).dropFirst().prefix(count.value).map { $0 })
            _ = await store.shutdown()
        }
        try world.run()
        guard count.value < times.value.count, let end = cut.value else { return nil }
        return times.value[count.value].duration(to: end)
    }

    private func open(_ disk: SimulatedDisk, _ world: SimulatedWorld) async throws -> Store {
        try await Store(
            recovering: Journal(
                on: disk,
                codec: try BitwiseCodec(version: 1),
                durability: .interval(Self.interval),
                capacity: 256,
                // No change of segments: that syncs, too.
                segmentBytes: 1 << 20
            ),
            initialState: Sums(),
            reducer: summing,
            engine: .simulated(in: world)
        )
    }

    @Test("a power cut loses no action that was dispatched longer ago than the interval and one sync")
    func atMostTheInterval() throws {
        var longest = Duration.zero
        var losses = 0
        let seeds = isSanitized ? 40 : 300
        for seed in 0..<UInt64(seeds) {
            guard let lost = try lost(SimulatedWorld(seed: seed)) else { continue }
            losses += 1
            longest = max(longest, lost)
            #expect(lost <= Self.interval + Self.longestSync, "seed \(seed)")
        }
        // Else the rule above compares nothing, or the journal syncs more often than it is asked to.
        #expect(losses > seeds / 8 && longest > Self.interval * 0.8, "\(losses), \(longest)")
    }
}
