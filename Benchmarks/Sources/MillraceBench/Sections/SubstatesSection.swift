// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Millrace
import MillraceSubstates

/// What a store of substates costs: with 10 and with 1,000 of them registered, beside a store whose state is a
/// structure.
struct SubstatesSection: Section {
    let id = "substates"

    /// The same work in a structure: ten sums, found by a number, and the last action.
    private struct Sums: Sendable {
        var amounts = [Int](repeating: 0, count: 10)
        var changes = [Int](repeating: 0, count: 10)
        var last: Change?
    }

    private struct Change: Sendable {
        var index: Int
        var amount: Int
    }

    func measure(_ pairing: Pairing) async throws -> [Table] {
        [
            try await table(
                pairing,
                "reduced in batches of 256, published on demand",
                .onDemand,
                share: 1,
                mallocs: 0.01
            ),
            // The snapshot, four branches and the substate.
            try await table(pairing, "published at every action", .everyAction, share: 0.1, mallocs: 7),
        ].compactMap { $0 }
    }

    private func table(
        _ pairing: Pairing,
        _ title: String,
        _ publication: Publication,
        share: Double,
        mallocs: Double
    ) async throws -> Table? {
        let plain = Self.structure(publication, share)
        let ten = Self.substates(10, publication, share)
        let thousand = Self.substates(1_000, publication, share)
        guard
            let outcome = try await pairing.measure(thousand, against: [ten, plain]),
            outcome.rivals.count == 2
        else { return nil }
        let target = Target(figure: .mallocs, atMost: mallocs)
        return Table(
            title: "Substates: \(title), engine .caller",
            rows: [
                Row(
                    thousand.name,
                    time: outcome.subject,
                    mallocs: try await pairing.mallocs(thousand),
                    targets: [target]
                ),
                Row(
                    ten.name,
                    time: outcome.rivals[0].time,
                    ratio: outcome.rivals[0].ratio,
                    mallocs: try await pairing.mallocs(ten),
                    targets: [Target(figure: .ratio, atMost: 1.25), target]
                ),
                Row(
                    plain.name,
                    time: outcome.rivals[1].time,
                    ratio: outcome.rivals[1].ratio,
                    mallocs: try await pairing.mallocs(plain)
                ),
            ]
        )
    }

    private static func substates(_ count: Int, _ publication: Publication, _ share: Double) -> Contender {
        let (store, batch) = Substates(count).makeStore(publication)
        return contender("\(count) substates", store.base, batch, share)
    }

    private static func structure(_ publication: Publication, _ share: Double) -> Contender {
        let store = ReduxStoreBase(
            initialState: Sums(),
            reducer: Reducer<Change, Sums>.reduce { action, sums in
                sums.amounts[action.index] &+= action.amount
                sums.changes[action.index] &+= 1
                sums.last = action
            },
            engine: .caller,
            publication: publication
        )
        return contender("a structure", store, (0..<256).map { Change(index: $0 % 10, amount: 1) }, share)
    }

    private static func contender<Action: Sendable, State>(
        _ name: String,
        _ store: ReduxStoreBase<Action, State>,
        _ batch: [Action],
        _ share: Double
    ) -> Contender {
        Contender(name, share: share) { operations in
            let before = store.metrics.reduced
            let began = bench_now()
            for _ in 0..<operations / batch.count { store.dispatch(contentsOf: batch) }
            store.dispatch(contentsOf: batch[..<(operations % batch.count)])
            let ended = bench_now()
            let reduced = store.metrics.reduced - before
            guard reduced == UInt64(operations) else {
                throw BenchmarkError.wrongResult(contender: name, expected: "\(operations)", found: "\(reduced)")
            }
            return ended - began
        }
    }
}
