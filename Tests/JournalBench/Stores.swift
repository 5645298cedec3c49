// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceCore
import MillraceJournal
import MillraceRecords

/// Stores with a journal beside stores without one.
struct Stores {
    struct Sum: Sendable {
        var count: UInt64 = 0
    }

    typealias Order = JournalBench.Order
    typealias Store = ReduxStoreBase<Order, Sum>

    let path: String
    private let reducer = Reducer<Order, Sum>.reduce { order, sum in sum.count &+= order.words.0 }

    private func journal(_ name: String, _ durability: Durability) throws -> Journal<Order> {
        try Journal(
            directory: "\(path)/\(name)",
            codec: .bitwise(version: 1),
            durability: durability,
            capacity: 65_536
        )
    }

    /// The processor time that an action costs on the pipeline's thread: the caller's, which drains.
    func pipeline(pairs: Int) async throws {
        let plain = Store(
            initialState: Sum(),
            reducer: reducer,
            middleware: IdentityMiddleware<Order, Order, Sum>(),
            engine: .caller,
            publication: .onDemand
        )
        let journaled = try await Store(
            recovering: journal("pipeline", .process),
            initialState: Sum(),
            reducer: reducer,
            middleware: IdentityMiddleware<Order, Order, Sum>(),
            engine: .caller,
            publication: .onDemand,
            held: .exact
        )
        let batch = [Order](repeating: Order(), count: 500)
        var more: [Double] = []
        var times: [Double] = []
        for pair in 0...pairs {
            var figures = [0.0, 0.0]
            for side in pair % 2 == 0 ? [0, 1] : [1, 0] {
                let store = side == 0 ? plain : journaled
                let start = processorTime()
                for _ in 0..<400 { store.dispatch(contentsOf: batch) }
                figures[side] = (processorTime() - start) / 200_000
                try? await journaled.journaled()
            }
            guard pair > 0 else { continue }
            more.append(figures[1] - figures[0])
            times.append(figures[0])
        }
        let (low, middle, high) = quartiles(more)
        print(
            "pipeline, .process, 64 bytes: \(text(middle, 0)) ns an action more (\(text(low, 0))-\(text(high, 0)))",
            "than without a journal (\(text(quartiles(times).middle, 0))); target ≤ 25",
            middle <= 25 ? "passes" : "MISSED"
        )
        _ = await plain.shutdown()
        _ = await journaled.shutdown()
    }

    /// Commits a second by several producers, each of which waits for its receipt.
    func commits(seconds: Double) async throws {
        for (durability, name) in [(Durability.process, "process"), (.grouped, "grouped"), (.every, "every")] {
            for producers in [1, 8, 64] {
                let journal = try journal("commits-\(name)-\(producers)", durability)
                let store = try await Store(recovering: journal, initialState: Sum(), reducer: reducer)
                let end = ContinuousClock.now + .seconds(seconds)
                let start = ContinuousClock.now
                let total = try await withThrowingTaskGroup(of: Int.self) { group in
                    for producer in 0..<producers {
                        group.addTask {
                            var number: UInt64 = 0
                            while ContinuousClock.now < end {
                                number += 1
                                try await store.commit(Order(), producer: "p\(producer)", number: number)
                            }
                            return Int(number)
                        }
                    }
                    return try await group.reduce(0, +)
                }
                let time = ContinuousClock.now - start
                let rate =
                    Double(total) / (Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18)
                let metrics = journal.metrics
                let syncs = max(1, Double(metrics.syncs))
                print(
                    ".\(name), \(producers) producers: \(text(rate, 0, 0)) commits/s,",
                    "\(text(Double(total) / Double(max(1, metrics.groups)), 0)) actions a group,",
                    metrics.syncs == 0
                        ? "no syncs"
                        : "\(text(Double(total) / syncs, 0)) commits a sync of"
                            + " \(text(Double(metrics.syncTime.components.attoseconds) / 1e12 / syncs + Double(metrics.syncTime.components.seconds) * 1e6 / syncs, 0, 0)) µs"
                )
                _ = await store.shutdown()
            }
        }
    }

    /// A recovery beside the same reducer on an array in memory.
    func recovery(actions: Int) async throws {
        let store = try await Store(recovering: journal("recovery", .process), initialState: Sum(), reducer: reducer)
        let batch = [Order](repeating: Order(), count: 1_000)
        for _ in 0..<actions / 1_000 { store.dispatch(contentsOf: batch) }
        _ = await store.shutdown()
        var ratios: [Double] = []
        var rates: [Double] = []
        for _ in 0..<5 {
            var sum = Sum()
            let orders = [Order](repeating: Order(), count: actions)
            let memory = nanoseconds { for order in orders { reducer.reduce(order, &sum) } }
            let start = ContinuousClock.now
            let again = try await Store(
                recovering: journal("recovery", .process),
                initialState: Sum(),
                reducer: reducer
            )
            let time = ContinuousClock.now - start
            let taken = Double(time.components.seconds) * 1e9 + Double(time.components.attoseconds) / 1e9
            guard again.state.count == sum.count else { throw JournalError.closed(path: "\(again.state.count)") }
            ratios.append(memory / taken)
            rates.append(Double(actions) / taken * 1e3)
            _ = await again.shutdown()
        }
        print(
            "recovery: \(text(quartiles(rates).middle, 0)) million actions/s of 64 bytes,",
            "\(text(quartiles(ratios).middle, 0, 3)) of the reducer on an array in memory"
        )
    }
}
