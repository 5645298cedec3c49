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

extension Steps: Codable {
    init(from decoder: any Decoder) throws {
        let words = try decoder.singleValueContainer().decode([Int64].self)
        all = words.map { Step(word: $0) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(all.map(\.word))
    }
}

extension Step {
    fileprivate init(word: Int64) {
        let (kind, producer, number) = (word >> 60, Int32(word >> 32 & 0xFFFF), Int32(truncatingIfNeeded: word))
        self =
            switch kind {
            case 0: .put(producer: producer, number: number)
            case 1: .answered(producer: producer, number: number)
            case 2: .effected(producer: producer, number: number)
            default: .urgent(number)
            }
    }

    fileprivate var word: Int64 {
        func word(_ kind: Int64, _ producer: Int32, _ number: Int32) -> Int64 {
            kind << 60 | Int64(producer) << 32 | Int64(UInt32(bitPattern: number))
        }
        return switch self {
        case .put(let producer, let number): word(0, producer, number)
        case .answered(let producer, let number): word(1, producer, number)
        case .effected(let producer, let number): word(2, producer, number)
        case .urgent(let number): word(3, 0, number)
        }
    }
}

/// Each kind of store, over three lives. The first two end by a power cut or by `kill -9`, at a random call of the disk,
/// also during the recovery. `MILLRACE_JOURNAL_CUTS` is a hundred times the number of schedules for each kind; 3 by default.
@Suite("A journal in all kinds of stores, with crashes", .timeLimit(.minutes(20)))
struct CombinationPowerCutTests {
    typealias Store = ReduxStoreBase<Step, Steps>
    typealias Kind = CombinationTests.Kind

    private static let schedules =
        ProcessInfo.processInfo.environment["MILLRACE_JOURNAL_CUTS"].flatMap(UInt64.init).map { max(3, $0 / 100) }
        ?? (isSanitized ? 1 : 3)
    private static let producers = 2

    /// What the outside knows, over all lives of a store.
    private final class Outside: Sendable {
        let ran = Shared<[Step]>([])
        let begun = Shared<[Step]>([])
        /// The last number of each producer that was acknowledged.
        let acknowledged = Shared([Int](repeating: 0, count: producers))
        /// The longest state that a reader has seen.
        let seen = Shared<[Step]>([])
    }

    @Test(
        "the state is a prefix with every acknowledged action; IOs and effects follow their policy, and none ran for a lost action",
        arguments: CombinationTests.kinds,
        [UnfinishedEffects.forget, .restart]
    )
    func crashes(kind: Kind, effects: UnfinishedEffects) async throws {
        var (struck, acknowledged) = (0, 0)
        for seed in 1...Self.schedules {
            var random = SplitMix64(seed: seed)
            let disk = PowerCutDisk(seed: seed)
            let outside = Outside()
            for life in 1...3 {
                let comment = Comment(rawValue: "seed \(seed), life \(life)")
                if life < 3 {
                    disk.fault = (disk.calls + Int.random(in: 1...100, using: &random), .cut, lasts: false)
                }
                do {
                    try await live(disk, kind, effects, outside, &random, isLast: life == 3, comment)
                } catch is JournalError {
                    #expect(disk.isOff, comment)
                }
                struck += disk.isOff ? 1 : 0
                disk.fault = nil
                Bool.random(using: &random) ? disk.kill() : disk.restart()
                try await check(disk, kind, effects, outside, isLast: life == 3, comment)
                acknowledged += outside.acknowledged.value.reduce(0, +)
            }
        }
        // Else the rules compare nothing.
        #expect(struck >= Int(Self.schedules) && acknowledged > 0)
    }

    private func journal(_ disk: PowerCutDisk) throws -> Journal<Step> {
        SharedFolder(disk).journal(try BitwiseCodec(version: 1))
    }

    private func open(
        _ disk: PowerCutDisk,
        _ kind: Kind,
        _ unfinished: UnfinishedEffects,
        _ outside: Outside
    ) async throws -> (Store, SimpleEffectMiddleware<Step, Steps>) {
        let effects = SimpleEffectMiddleware<Step, Steps>.onAction { step, _, _ in
            guard case .put(let producer, let number) = step else { return .doNothing }
            let task = Effect<Void, Step>.task { _ in
                outside.begun.update { $0.append(step) }
                return .effected(producer: producer, number: number)
            }
            return number % 4 == 0 ? .merge(.toCancel("nothing"), task) : task
        }
        if let subject = kind.subject.make(Steps()) {
            let store = try await Store(
                recovering: journal(disk),
                subject: subject,
                reducer: Steps.noting,
                middleware: CombinationTests.Answering(ran: outside.ran) <> effects,
                order: kind.order,
                snapshots: .every(actions: 30, by: .codable(version: 1)),
                effects: unfinished
            )
            #expect(subject.value().all.count >= Int(store.recovery?.lastSequence ?? 0))
            return (store, effects)
        }
        let store = try await Store(
            recovering: journal(disk),
            initialState: Steps(),
            reducer: Steps.noting,
            middleware: CombinationTests.Answering(ran: outside.ran) <> effects,
            engine: kind.engine,
            publication: .batch,
            capacity: kind.capacity,
            order: kind.order,
            snapshots: .every(actions: 30, by: .codable(version: 1)),
            held: kind.held,
            visibility: kind.visibility,
            effects: unfinished
        )
        return (store, effects)
    }

    /// Producers dispatch their next numbers, until the store is closed or there are enough.
    private func live(
        _ disk: PowerCutDisk,
        _ kind: Kind,
        _ unfinished: UnfinishedEffects,
        _ outside: Outside,
        _ random: inout SplitMix64,
        isLast: Bool,
        _ comment: Comment
    ) async throws {
        let (store, effects) = try await open(disk, kind, unfinished, outside)
        var next: [Int] = []
        for producer in 0..<Self.producers { next.append(Int(await store.lastNumber(of: "p\(producer)")) + 1) }
        for round in 1...8 where !store.isClosed {
            let first = next
            await elsewhere {
                onThreads(Self.producers) { producer in
                    for number in first[producer]..<first[producer] + 4 {
                        let put = Step.put(producer: Int32(producer), number: Int32(number))
                        store.dispatch(put, producer: "p\(producer)", number: UInt64(number))
                    }
                    store.dispatch(urgent: .urgent(Int32(round)))
                }
            }
            next = first.map { $0 + 4 }
            if kind.visibility == .durable {
                let seen = store.state.all
                outside.seen.update { if seen.count > $0.count { $0 = seen } }
            }
            guard Bool.random(using: &random) else { continue }
            let last = next.map { $0 - 1 }
            if (try? await store.journaled()) != nil { outside.acknowledged.value = last }
        }
        if isLast {
            for _ in 1...2 {
                #expect(await eventually { effects.runningEffects == 0 && store.metrics.pending == 0 }, comment)
                await store.drain()
            }
            #expect(!store.isClosed, comment)
        }
        _ = await store.shutdown()
    }

    /// Recovers the state without middlewares, and compares it with what the outside knows.
    private func check(
        _ disk: PowerCutDisk,
        _ kind: Kind,
        _ effects: UnfinishedEffects,
        _ outside: Outside,
        isLast: Bool,
        _ comment: Comment
    ) async throws {
        let journal = try journal(disk)
        let store = try await Store(
            recovering: journal,
            initialState: Steps(),
            reducer: Steps.noting,
            snapshots: .every(actions: 30, by: .codable(version: 1))
        )
        let state = store.state.all
        let folded = try await journal.state(
            at: UInt64(state.count),
            initialState: Steps(),
            reducer: Steps.noting
        )
        #expect(folded.all == state, comment)
        #expect(store.recovery?.lastSequence == UInt64(state.count), comment)
        for producer in 0..<Self.producers {
            let numbers = state.compactMap { step in
                if case .put(let one, let number) = step, Int(one) == producer { Int(number) } else { nil }
            }
            #expect(numbers == Array((0...numbers.count).dropFirst()), comment)
            #expect(numbers.count >= outside.acknowledged.value[producer], comment)
            #expect(await store.lastNumber(of: "p\(producer)") == UInt64(numbers.count), comment)
        }
        #expect(state.starts(with: outside.seen.value), comment)
        try checkEffects(state, effects, outside, isLast: isLast, comment)
        _ = await store.shutdown()
    }

    private func checkEffects(
        _ state: [Step],
        _ effects: UnfinishedEffects,
        _ outside: Outside,
        isLast: Bool,
        _ comment: Comment
    ) throws {
        let (ran, begun) = (outside.ran.value, outside.begun.value)
        let puts = Set(state.filter { if case .put = $0 { true } else { false } })
        #expect(puts.isSuperset(of: ran) && puts.isSuperset(of: begun), comment)
        #expect(Set(ran).count == ran.count, comment)
        var there: Set<Step> = []
        for step in state {
            // At most one answer, and after what it answers.
            switch step {
            case .put: there.insert(step)
            case .answered(let producer, let number):
                #expect(there.contains(.put(producer: producer, number: number)), comment)
                #expect(there.insert(step).inserted, comment)
            case .effected(let producer, let number):
                #expect(there.contains(.put(producer: producer, number: number)), comment)
                let isFirst = there.insert(step).inserted
                #expect(isFirst || effects != .forget, comment)
            case .urgent: break
            }
        }
        guard effects != .forget else {
            #expect(Set(begun).count == begun.count, comment)
            return
        }
        guard isLast else { return }
        for case .put(let producer, let number) in puts {
            #expect(there.contains(.effected(producer: producer, number: number)), comment)
        }
    }
}
