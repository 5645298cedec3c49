// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Millrace

/// What each lift costs when `handle` reads its part, beside a middleware that is not lifted and does the same search.
/// Engine `.caller`; the times are the processor time of the one thread.
@MainActor
enum PartReads {
    private typealias Reading<State: Countable> = PartMiddleware.Handling<Int, State>
    private typealias Lifts = CountedRow

    static func table(_ pairing: Pairing) async throws -> Table {
        let number = { PartAction.number($0) }
        let element = { PartAction.element(ElementIDAction(id: $0 % 100, action: $0)) }
        var rows: [Row] = []
        rows += try await compare(
            "a closure",
            pairing,
            contender(Lifts.closure(Reading<Int>()), number),
            contender(PartSearcher<PartSearches.Number>(), number)
        )
        rows += try await compare(
            "a key path",
            pairing,
            contender(Lifts.keyPath(Reading<Int>()), number),
            contender(PartSearcher<PartSearches.Number>(), number)
        )
        rows += try await compare(
            "the id of an element",
            pairing,
            contender(Lifts.id(Reading<PartElement>()), element),
            contender(PartSearcher<PartSearches.ID>(), element)
        )
        rows += try await compare(
            "the key of a value",
            pairing,
            contender(Lifts.key(Reading<PartElement>()), element),
            contender(PartSearcher<PartSearches.Key>(), element)
        )
        rows += try await compare(
            "an optional",
            pairing,
            contender(Lifts.optional(Reading<PartElement>()), number),
            contender(PartSearcher<PartSearches.Optional>(), number)
        )
        return Table(title: "What a lift costs: handle reads its part, engine .caller", rows: rows)
    }

    private static func compare(
        _ lift: String,
        _ pairing: Pairing,
        _ lifted: @escaping (Int) throws -> UInt64,
        _ plain: @escaping (Int) throws -> UInt64
    ) async throws -> [Row] {
        let outcome = try await pairing.measure(
            Contender("lifted by \(lift)", run: lifted),
            against: [Contender("not lifted, the same search", run: plain)]
        )
        guard let outcome, let rival = outcome.rivals.first else { return [] }
        return [
            Row("lifted by \(lift)", time: outcome.subject),
            Row("  not lifted, the same search", time: rival.time, ratio: rival.ratio),
            Row("  the difference", time: rival.difference, targets: [Target(figure: .nanoseconds, atMost: 15)]),
        ]
    }

    private static func contender(
        _ middleware: sending some MiddlewareProtocol<PartAction, PartAction, PartState>,
        _ action: (Int) -> PartAction
    ) -> (Int) throws -> UInt64 {
        let store = PartState.store(middleware)
        let batch = (0..<128).map(action)
        return { operations in
            let before = store.state.count
            let start = bench_thread_time()
            for _ in 0..<operations / batch.count { store.dispatch(contentsOf: batch) }
            let time = bench_thread_time() - start
            let found = store.state.count - before
            guard found == operations else {
                throw BenchmarkError.wrongResult(contender: "a lift", expected: "\(operations)", found: "\(found)")
            }
            return time
        }
    }
}
