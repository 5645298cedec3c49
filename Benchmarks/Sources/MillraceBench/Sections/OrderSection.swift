// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Millrace

/// What the order of actions costs: chains of actions that dispatch each other, and urgent actions.
struct OrderSection: Section {
    let id = "order"

    func measure(_ pairing: Pairing) async throws -> [Table] {
        let table = try await pairing.table(
            "A chain: each action dispatches the next one, on one thread",
            subject: chain("order: .internalFirst", .internalFirst),
            targets: [Target(figure: .mallocs, atMost: 0)],
            rivals: [
                Opponent(chain("order: .fifo", .fifo)),
                Opponent(urgent()),
            ]
        )
        return [table]
    }

    private func chain(_ name: String, _ order: ActionOrder) -> Contender {
        let store = CountedRow.chainStore(order)
        return Contender(name) { operations in
            let before = store.metrics.reduced
            let began = bench_now()
            store.dispatch(.tick(operations - 1))
            let took = bench_now() - began
            try check(store.metrics.reduced - before, operations, name)
            return took
        }
    }

    private func urgent() -> Contender {
        let name = "urgent actions, each handled at once"
        let store = StoreLoop.plainStore(engine: .caller, publication: .onDemand)
        return Contender(name) { operations in
            let before = store.metrics.reduced
            let began = bench_now()
            for index in 0..<operations { store.dispatch(urgent: .nth(index)) }
            let took = bench_now() - began
            try check(store.metrics.reduced - before, operations, name)
            return took
        }
    }

    private func check(_ reduced: UInt64, _ operations: Int, _ name: String) throws {
        guard reduced == operations else {
            throw BenchmarkError.wrongResult(contender: name, expected: "\(operations)", found: "\(reduced)")
        }
    }
}
