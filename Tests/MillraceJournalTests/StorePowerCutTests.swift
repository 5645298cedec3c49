// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceCore
import MillraceEffects
import MillraceJournal
import MillraceJournalTesting
import MillraceRecords
import TestSupport
import Testing

/// A store whose disk loses its power, fails or is full at a random call. `MILLRACE_JOURNAL_CUTS` is the number of
/// schedules; 100 by default.
@Suite("A journaled store on a bad disk", .timeLimit(.minutes(20)))
struct StorePowerCutTests {
    typealias Store = ReduxStoreBase<Deed, Sums>

    private static let schedules =
        ProcessInfo.processInfo.environment["MILLRACE_JOURNAL_CUTS"].flatMap(UInt64.init) ?? (isSanitized ? 30 : 100)

    /// What the outside knows, over all lives of the store.
    private final class Outside: Sendable {
        let acknowledged = Shared(0)
        let told = Shared<[Int]>([])
        let begun = Shared<[Int]>([])
    }

    @Test(
        "after a power cut, a failed call or a full disk every acknowledged action is there, and no IO or effect ran for a lost one"
    )
    func powerCuts() async throws {
        var (acknowledged, struck) = (0, 0)
        for seed in 1...Self.schedules {
            var random = SplitMix64(seed: seed)
            let disk = PowerCutDisk(seed: seed)
            let outside = Outside()
            for life in 1...3 {
                let durability: Durability = [.grouped, .every, .interval(.milliseconds(1))].randomElement(
                    using: &random
                )!
                // With `.interval` effects may run before the sync: only acknowledgements are compared.
                let comparesEffects = !"\(durability)".hasPrefix("interval")
                if life < 3 {
                    let what: PowerCutDisk.Fault = [.cut, .cut, .failure, .full].randomElement(using: &random)!
                    disk.fault = (disk.calls + Int.random(in: 1...120, using: &random), what, lasts: false)
                }
                let isExact = Bool.random(using: &random)
                do {
                    try await run(disk, durability, outside, seed: seed, isExact: isExact)
                } catch is JournalError {}
                struck += disk.fault.map { disk.calls >= $0.call } == true ? 1 : 0
                acknowledged += outside.acknowledged.value
                disk.restart()
                let store = try await open(disk, .grouped, outside, isExact: false)
                let count = store.state.deeds.count
                let comment = Comment(rawValue: "seed \(seed), life \(life), \(durability)")
                #expect(store.state.deeds == Array(1...max(1, count)).prefix(count).map { $0 }, comment)
                #expect(count >= outside.acknowledged.value, comment)
                if comparesEffects {
                    #expect(outside.told.value.allSatisfy { $0 <= count }, comment)
                    #expect(outside.begun.value.allSatisfy { $0 <= count }, comment)
                }
                outside.acknowledged.update { $0 = count }
                let numbers = outside.told.value
                #expect(Set(numbers).count == numbers.count, comment)
                _ = await store.shutdown()
                // What was not synced may be told again under another life.
                outside.told.update { $0 = $0.filter { $0 <= count } }
                outside.begun.update { $0 = $0.filter { $0 <= count } }
            }
        }
        // Else the rules above compare nothing.
        #expect(acknowledged > Int(Self.schedules) && struck > Int(Self.schedules) / 2)
    }

    @Test("a full disk does not hold up a shutdown: what is held is dropped and counted", arguments: [false, true])
    func fullDisk(isExact: Bool) async throws {
        let disk = PowerCutDisk(seed: 7)
        let outside = Outside()
        let journal = try journal(disk, .grouped)
        let store = try await open(journal, outside, isExact: isExact)
        try await store.commit(.add(1), producer: "p", number: 1)
        disk.fault = (disk.calls + 1, .full, lasts: true)
        for number in 2...200 { store.dispatch(.add(number), producer: "p", number: UInt64(number)) }
        let report = await store.shutdown(deadline: .milliseconds(300))
        #expect(report.isComplete)
        #expect(journal.metrics.waitsForDisk > 0 && journal.metrics.droppedHeld > 0)
        disk.kill()
        let again = try await open(disk, .grouped, outside, isExact: isExact)
        let count = again.state.deeds.count
        #expect(count >= 1 && again.state.deeds == Array(1...count))
        #expect(outside.told.value.allSatisfy { $0 <= count } && outside.begun.value.allSatisfy { $0 <= count })
        _ = await again.shutdown()
    }

    @Test("when a write fails, a commit throws, the store is closed, and nothing of it is kept")
    func failure() async throws {
        let disk = PowerCutDisk(seed: 3)
        let outside = Outside()
        var store: Store? = try await open(disk, .grouped, outside, isExact: false)
        weak let kept = store
        try await store?.commit(.add(1), producer: "p", number: 1)
        disk.fault = (disk.calls + 1, .failure, lasts: false)
        await #expect(throws: CommitError.self) { try await store?.commit(.add(2), producer: "p", number: 2) }
        await #expect(throws: CommitError.self) { try await store?.journaled() }
        #expect(store?.isClosed == true)
        let report = await store?.shutdown()
        #expect(report?.isComplete == true)
        #expect(outside.told.value == [1] && outside.begun.value == [1])
        store = nil
        #expect(kept == nil)
        disk.kill()
        let again = try await open(disk, .grouped, outside, isExact: false)
        #expect(again.state.deeds == [1] || again.state.deeds == [1, 2])
        _ = await again.shutdown()
    }

    private func open(
        _ disk: PowerCutDisk,
        _ durability: Durability,
        _ outside: Outside,
        isExact: Bool
    ) async throws -> Store {
        try await open(journal(disk, durability), outside, isExact: isExact)
    }

    private func journal(_ disk: PowerCutDisk, _ durability: Durability) throws -> Journal<Deed> {
        SharedFolder(disk).journal(try BitwiseCodec(version: 1), durability)
    }

    private func open(_ journal: Journal<Deed>, _ outside: Outside, isExact: Bool) async throws -> Store {
        let effects = SimpleEffectMiddleware<Deed, Sums>.onAction { deed, _, _ in
            guard case .add(let number) = deed else { return .doNothing }
            return .fireAndForget { outside.begun.update { $0.append(number) } }
        }
        return try await Store(
            recovering: journal,
            initialState: Sums(),
            reducer: summing,
            middleware: effects <> Adder { number in outside.told.update { $0.append(number) } },
            snapshots: .every(actions: 20, by: .codable(version: 1)),
            held: isExact ? .exact : .held
        )
    }

    /// Commits the next numbers, until the store is closed or there are enough.
    private func run(
        _ disk: PowerCutDisk,
        _ durability: Durability,
        _ outside: Outside,
        seed: UInt64,
        isExact: Bool
    ) async throws {
        let store = try await open(disk, durability, outside, isExact: isExact)
        let first = store.state.deeds.count + 1
        for number in first..<first + 60 where !store.isClosed {
            guard number % 4 == 0 else {
                store.dispatch(.add(number), producer: "p", number: UInt64(number))
                continue
            }
            let receipt = try? await store.commit(.add(number), producer: "p", number: UInt64(number))
            if receipt != nil { outside.acknowledged.update { $0 = max($0, number) } }
        }
        _ = await store.shutdown()
    }
}

/// Calls a closure in the IO of each `add`.
struct Adder: MiddlewareProtocol {
    let tell: @Sendable (Int) -> Void

    func handle(action: Deed, from dispatcher: ActionSource, state: @escaping GetState<Sums>) -> IO<Deed> {
        guard case .add(let number) = action else { return .pure() }
        return IO { _ in tell(number) }
    }
}
