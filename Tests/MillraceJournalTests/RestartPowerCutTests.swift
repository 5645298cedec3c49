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

/// Orders and their receipts.
enum Errand: BitwiseCopyable, Sendable, Equatable {
    case order(Int)
    case receipt(Int)
    case withdraw(Int)
}

struct Errands: Sendable, Equatable, Codable {
    var orders: [Int] = []
    var withdrawn: Set<Int> = []
    var receipts: [Int: Int] = [:]

    static let reducer = Reducer<Errand, Errands>.reduce { errand, state in
        switch errand {
        case .order(let number): state.orders.append(number)
        case .receipt(let number): state.receipts[number, default: 0] += 1
        case .withdraw(let number): state.withdrawn.insert(number)
        }
    }
}

/// A store that begins effects again, and whose disk loses its power at a random call. `MILLRACE_JOURNAL_CUTS` is the number
/// of schedules; 60 by default.
@Suite("Effects that begin again, on a bad disk", .timeLimit(.minutes(20)))
struct RestartPowerCutTests {
    typealias Store = ReduxStoreBase<Errand, Errands>

    private static let schedules =
        ProcessInfo.processInfo.environment["MILLRACE_JOURNAL_CUTS"].flatMap(UInt64.init) ?? (isSanitized ? 15 : 60)

    @Test(
        "after any crash each effect of a recovered order runs and answers, unless it was withdrawn; none of a lost order"
    )
    func atLeastOnce() async throws {
        var (ordered, struck) = (0, 0)
        for seed in 1...Self.schedules {
            var random = SplitMix64(seed: seed)
            let disk = PowerCutDisk(seed: seed)
            let began = Shared<Set<Int>>([])
            for life in 1...4 {
                let isLast = life == 4
                let call = disk.calls + Int.random(in: 1...150, using: &random)
                disk.fault = isLast ? nil : (call, .cut, lasts: false)
                let isExact = Bool.random(using: &random)
                do {
                    try await live(disk, began, &random, isExact: isExact, isLast: isLast)
                } catch is JournalError {}
                struck += disk.isOff ? 1 : 0
                disk.fault = nil
                disk.restart()
                let orders = try await recovered(disk).orders
                let early = began.value.subtracting(orders)
                #expect(early.isEmpty, "seed \(seed), life \(life): effects of lost orders ran: \(early)")
            }
            let state = try await recovered(disk)
            ordered += state.orders.count
            for number in state.orders where !state.withdrawn.contains(number) {
                #expect(state.receipts[number] ?? 0 > 0, "seed \(seed): order \(number) has no receipt")
            }
        }
        // Else the rules above compare nothing.
        #expect(ordered > Int(Self.schedules) && struck > Int(Self.schedules) / 2)
    }

    /// The state without any effect. Without a new action it leaves the account of effects as it is.
    private func recovered(_ disk: PowerCutDisk) async throws -> Errands {
        let store = try await Store(
            recovering: journal(disk),
            initialState: Errands(),
            reducer: Errands.reducer,
            snapshots: .every(actions: 20, by: .codable(version: 1))
        )
        defer { withExtendedLifetime(store) {} }
        let state = store.state
        _ = await store.shutdown()
        return state
    }

    private func journal(_ disk: PowerCutDisk) throws -> Journal<Errand> {
        SharedFolder(disk).journal(try BitwiseCodec(version: 1))
    }

    /// Orders the next numbers, and withdraws some, until the store is closed or there are enough.
    private func live(
        _ disk: PowerCutDisk,
        _ began: Shared<Set<Int>>,
        _ random: inout SplitMix64,
        isExact: Bool,
        isLast: Bool
    ) async throws {
        let effects = SimpleEffectMiddleware<Errand, Errands>.onAction { errand, _, _ in
            switch errand {
            case .order(let number):
                let task = Effect<Void, Errand>.task(token: number) { _ in
                    began.update { _ = $0.insert(number) }
                    if number % 3 == 0 { try? await Task.sleep(for: .milliseconds(2)) }
                    return .receipt(number)
                }
                return number % 5 == 0 ? .merge(task, .fireAndForget {}) : task
            case .withdraw(let number): return .toCancel(number)
            case .receipt: return .doNothing
            }
        }
        let store = try await Store(
            recovering: journal(disk),
            initialState: Errands(),
            reducer: Errands.reducer,
            middleware: effects,
            snapshots: .every(actions: 20, removesSegments: true, by: .codable(version: 1)),
            held: isExact ? .exact : .held,
            effects: .restart
        )
        let first = (store.state.orders.last ?? 0) + 1
        for number in first..<first + 40 where !store.isClosed {
            store.dispatch(.order(number))
            if random.next() % 8 == 0 { store.dispatch(.withdraw(number - Int(random.next() % 3))) }
            if random.next() % 4 == 0 { try? await store.journaled() }
        }
        if isLast {
            #expect(await eventually { effects.runningEffects == 0 && store.metrics.pending == 0 })
            await store.drain()
            #expect(await eventually { effects.runningEffects == 0 && store.metrics.pending == 0 })
        }
        _ = await store.shutdown()
    }
}
