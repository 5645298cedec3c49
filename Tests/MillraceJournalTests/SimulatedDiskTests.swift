// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects
import MillraceJournal
import MillraceJournalTesting
import MillraceRecords
import MillraceTesting
import TestSupport
import Testing

/// Journaled stores in simulated worlds. `scripts/simulate.sh journals` runs many more.
@Suite("A journal in a simulated world", .timeLimit(.minutes(10)))
struct SimulatedDiskTests {
    typealias Store = ReduxStoreBase<Deed, Sums>

    private static let schedules: UInt64 = isSanitized ? 5 : 30

    private func open(
        _ disk: SimulatedDisk,
        _ world: SimulatedWorld,
        _ effects: UnfinishedEffects = .forget,
        engine: StoreEngine? = nil,
        _ middleware: SimpleEffectMiddleware<Deed, Sums> = .onAction { _, _, _ in .doNothing }
    ) async throws -> Store {
        try await Store(
            recovering: Journal(on: disk, codec: try BitwiseCodec(version: 1)),
            initialState: Sums(),
            reducer: summing,
            middleware: middleware,
            engine: engine ?? .simulated(in: world),
            held: engine == nil ? .held : .exact,
            effects: effects
        )
    }

    /// Dispatches ten actions, and has the power cut at some step. Then recovers the state.
    private func cut(_ world: SimulatedWorld, waits: Bool) throws {
        let disk = SimulatedDisk(in: world)
        let acknowledged = Shared(0)
        world.task("before") {
            // The power may be cut before.
            guard let store = try? await open(disk, world) else { return }
            for number in 1...10 {
                if waits {
                    do {
                        try await store.commit(.add(number), producer: "p", number: UInt64(number))
                    } catch { break }
                } else {
                    store.dispatch(.add(number), producer: "p", number: UInt64(number))
                }
                if !disk.disk.isOff { acknowledged.update { $0 = number } }
            }
        }
        var random = world.random
        let pauses = Int.random(in: 40..<160, using: &random)
        world.thread("power") {
            for _ in 0..<pauses { world.pause() }
            disk.cutPower()
        }
        try world.run()
        disk.restart()
        world.task("after") {
            let deeds = try await open(disk, world).state.deeds
            #expect(deeds == Array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].prefix(deeds.count)))
            if deeds.count < acknowledged.value { throw Unexpected() }
        }
        try world.run()
    }

    @Test("after a power cut at any step, every acknowledged action is there")
    func prefix() throws {
        try SimulatedWorld.explore(seeds: 0..<Self.schedules) { try cut($0, waits: true) }
    }

    @Test("a program that does not wait for its commits is found")
    func finds() {
        #expect(throws: ScheduleFailure.self) {
            try SimulatedWorld.explore(seeds: 0..<Self.schedules) { try cut($0, waits: false) }
        }
    }

    @Test("when a commit throws the journal's error, the store is closed")
    func closesFirst() throws {
        try SimulatedWorld.explore(seeds: 0..<Self.schedules) { world in
            let disk = SimulatedDisk(in: world)
            world.task("life") {
                let store = try await open(disk, world)
                try await store.commit(.add(1), producer: "p", number: 1)
                disk.fail(by: .failure)
                do throws(CommitError) {
                    try await store.commit(.add(2), producer: "p", number: 2)
                    throw .noJournal
                } catch {
                    guard case .journal = error, store.isClosed else { throw Unexpected() }
                }
                _ = await store.shutdown()
            }
            try world.run()
        }
    }

    @Test("actions that are handled again after a recovery are no new ones")
    func counters() throws {
        let world = SimulatedWorld(seed: 12)
        let disk = SimulatedDisk(in: world)
        let clock = world.clock
        let effects = SimpleEffectMiddleware<Deed, Sums>.onAction { deed, _, _ in
            guard case .add(let number) = deed else { return .doNothing }
            return .task { _ in
                try? await clock.sleep(for: .seconds(number))
                return .found(number)
            }
        }
        world.task("before") {
            let store = try await open(disk, world, .restart, effects)
            for number in 1...3 { try await store.commit(.add(number), producer: "p", number: UInt64(number)) }
            disk.kill()
        }
        try world.run(until: .milliseconds(500))
        world.task("after") {
            let store = try await open(disk, world, .restart, effects)
            #expect(store.recovery?.handledAgain == 3)
            try await clock.sleep(for: .seconds(4))
            await store.drain()
            #expect(store.state.found == 6)
            #expect(store.metrics.reduced == 3)
            try expectBalanced(store, isDrained: true)
            _ = await store.shutdown()
        }
        try world.run()
    }

    @Test("with .caller an effect that answers while too many are under way does not wait for itself")
    func answersOnCaller() throws {
        let world = SimulatedWorld(seed: 3)
        let disk = SimulatedDisk(in: world)
        let clock = world.clock
        let effects = SimpleEffectMiddleware<Deed, Sums>.onAction { deed, _, _ in
            guard case .add(let number) = deed else { return .doNothing }
            return .task { _ in
                try? await clock.sleep(for: .milliseconds(number))
                return .found(number)
            }
        }
        world.task("life") {
            let engine = StoreEngine.caller(in: world.storeWorld)
            let store = try await open(disk, world, .restart(mostUnfinished: 1), engine: engine, effects)
            for number in 1...3 { store.dispatch(.add(number)) }
            try await clock.sleep(for: .seconds(1))
            #expect(store.state.found == 6)
            _ = await store.shutdown()
        }
        try world.run()
    }

    @Test("a store that closes while too many effects are under way handles the rest when they end")
    func closes() throws {
        let world = SimulatedWorld(seed: 4)
        let disk = SimulatedDisk(in: world)
        let clock = world.clock
        let effects = SimpleEffectMiddleware<Deed, Sums>.onAction { _, _, _ in
            .task { _ in
                try? await clock.sleep(for: .seconds(1))
                return nil
            }
        }
        world.task("life") {
            let store = try await open(disk, world, .restart(mostUnfinished: 1), effects)
            for number in 1...3 { store.dispatch(.add(number)) }
            try await clock.sleep(for: .milliseconds(100))
            let report = await store.shutdown(deadline: .seconds(30))
            #expect(report.dropped == 0 && store.state.deeds == [1, 2, 3])
        }
        try world.run()
    }

    @Test("a writer that another has taken over from leaves the files of its successor alone")
    func takeover() throws {
        let world = SimulatedWorld(seed: 2)
        let disk = SimulatedDisk(in: world)
        world.task("both") {
            let first = try await open(disk, world)
            try await first.commit(.add(1), producer: "p", number: 1)
            disk.disk.loseLocks()
            let second = try await open(disk, world)
            #expect(second.state.deeds == [1])
            _ = await first.shutdown()
            // Through several segments.
            for number in 2...200 { try await second.commit(.add(number), producer: "p", number: UInt64(number)) }
            _ = await second.shutdown()
        }
        try world.run()
    }

    @Test("a second store is refused as long as the first one has the lock")
    func locked() throws {
        let world = SimulatedWorld(seed: 1)
        let disk = SimulatedDisk(in: world)
        world.task("both") {
            let first = try await open(disk, world)
            await #expect(throws: JournalError.locked(path: "journal")) { try await open(disk, world) }
            _ = await first.shutdown()
            _ = await (try open(disk, world)).shutdown()
        }
        try world.run()
    }
}
